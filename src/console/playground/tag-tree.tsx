import type { JsonPath } from '../json-editor/json-text.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { Badge } from '../ui/badge.tsx';
import { type FormField, nodeFor } from './schema-form.ts';

interface TagTreeProps {
  readonly fields: readonly FormField[];
  /** Moves to the position of a tag in the data. */
  readonly onPick: (path: JsonPath) => void;
  readonly path?: JsonPath;
}

/** The tags of the template as a tree; each links to its position in the data. */
export function TagTree({ fields, onPick, path = [] }: TagTreeProps) {
  return (
    <ul class="tag-tree">
      {fields.map((field) => (
        <TagBranch key={field.name} field={field} path={[...path, field.name]} onPick={onPick} />
      ))}
    </ul>
  );
}

function TagBranch({ field, path, onPick }: { field: FormField; path: JsonPath; onPick: (path: JsonPath) => void }) {
  const { name, isRequired } = field;
  const node = nodeFor(field.node, undefined);
  const isList = node.kind === 'list';
  const inner = isList ? nodeFor(node.item, undefined) : node;
  const line = (
    <>
      <button type="button" class="tag-name" onClick={() => onPick(path)}>
        {isList ? `{#${name}}` : node.kind === 'object' ? name : `{${name}}`}
      </button>
      <span class="muted small">{playgroundTexts.kinds[node.kind]}</span>
      {isRequired && <Badge>{playgroundTexts.required}</Badge>}
    </>
  );
  return (
    <li>
      <div class="tag-line">{line}</div>
      {inner.kind === 'object' && <TagTree fields={inner.fields} path={isList ? [...path, 0] : path} onPick={onPick} />}
    </li>
  );
}
