import { compareTexts } from '../../texts/templates.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Tone } from '../../ui/tone.ts';
import type { FieldChange } from './compare-fields.ts';

const tones: Readonly<Record<FieldChange['kind'], Tone>> = {
  added: 'good',
  removed: 'bad',
  retyped: 'warn',
  required: 'warn',
  optional: 'info',
};

export function FieldChanges({ changes }: { readonly changes: readonly FieldChange[] }) {
  if (changes.length === 0) return <p class="muted">{compareTexts.fieldsSame}</p>;
  return (
    <div>
      <h3>{compareTexts.fields}</h3>
      <ul class="field-changes">
        {changes.map(({ kind, path, before, after }) => (
          <li key={`${kind} ${path}`}>
            <Badge tone={tones[kind]}>{compareTexts[kind]}</Badge> <code>{path}</code>
            {before !== undefined && after !== undefined && (
              <span class="muted small">{compareTexts.change(before, after)}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
