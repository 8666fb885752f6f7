import type { components } from '@docmill/client';
import { Link } from 'wouter-preact';
import { templateTexts } from '../texts/templates.ts';
import { Health } from './health.tsx';
import { Thumbnail } from './thumbnail.tsx';
import type { Statistics } from './use-statistics.ts';

export type TemplateMetadata = components['schemas']['TemplateMetadata'];

interface TemplateCardProps {
  readonly template: TemplateMetadata;
  readonly statistics: Statistics | undefined;
}

export function TemplateCard({ template, statistics }: TemplateCardProps) {
  const { id, name, tags, version } = template;
  return (
    <li class="template-card">
      <Link href={`/templates/${id}`}>
        <Thumbnail id={id} version={version} />
        <span class="template-name">{name}</span>
      </Link>
      <p class="muted small">
        {templateTexts.fields(tags.length)} · {templateTexts.version(version)}
      </p>
      <Health statistics={statistics} />
    </li>
  );
}
