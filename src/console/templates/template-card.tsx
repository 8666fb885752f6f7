import type { components } from '@docmill/client';
import { Link } from 'wouter-preact';
import { templateTexts } from '../texts/templates.ts';
import { Time } from '../ui/time.tsx';
import { PagePlaceholder } from './page-placeholder.tsx';

export type TemplateMetadata = components['schemas']['TemplateMetadata'];

export function TemplateCard({ template }: { readonly template: TemplateMetadata }) {
  const { id, name, tags, version, updatedAt } = template;
  return (
    <li class="template-card">
      <Link href={`/templates/${id}`}>
        <span class="thumbnail">
          <PagePlaceholder />
        </span>
        <span class="template-name">{name}</span>
      </Link>
      <p class="muted small">
        {templateTexts.fields(tags.length)} · {templateTexts.version(version)}
      </p>
      <p class="muted small">
        {templateTexts.changed} <Time value={updatedAt} />
      </p>
    </li>
  );
}
