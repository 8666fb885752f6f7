import { useDocmill } from '../session/session.ts';
import { templatePageTexts } from '../texts/templates.ts';
import { Badge } from '../ui/badge.tsx';
import { useLoad } from '../ui/use-load.ts';
import { fieldTypes } from './field-types.ts';

interface FieldsCardProps {
  readonly id: string;
  readonly version: number;
  readonly tags: readonly string[];
}

/** The fields of a template with their types, and which of them its author stated; only names until they are loaded. */
export function FieldsCard({ id, version, tags }: FieldsCardProps) {
  const docmill = useDocmill();
  const { value } = useLoad((signal) => docmill.templates.schema(id, { version }, { signal }), `${id} ${version}`);
  const fields = value === undefined ? new Map() : fieldTypes(value.schema);
  const stated = new Set(fieldTypes(value?.stated ?? {}).keys());
  return (
    <section class="card">
      <h2>{templatePageTexts.fields}</h2>
      {tags.length === 0 && fields.size === 0 && <p class="muted">{templatePageTexts.noFields}</p>}
      <ul class="field-names">
        {fields.size === 0
          ? tags.map((tag) => (
              <li key={tag}>
                <code>{tag}</code>
              </li>
            ))
          : [...fields].map(([path, { type }]) => (
              <li key={path}>
                <code>{path}</code> <span class="muted small">{type}</span>
                {stated.has(path) && <Badge>{templatePageTexts.stated}</Badge>}
              </li>
            ))}
      </ul>
    </section>
  );
}
