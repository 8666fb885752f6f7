import { isObject } from '../json-editor/is-object.ts';
import type { JsonPath } from '../json-editor/json-text.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { Field } from '../ui/field.tsx';
import { type FormActions, pathKey } from './form-actions.ts';
import { FormInput } from './form-input.tsx';
import { FormList } from './form-list.tsx';
import { type FormField, nodeFor, type PlainNode } from './schema-form.ts';

interface SchemaFieldsProps {
  readonly fields: readonly FormField[];
  readonly value: unknown;
  readonly path: JsonPath;
  readonly actions: FormActions;
}

/** The fields of an object, in their order: single fields side by side, groups below one another. */
export function SchemaFields({ fields, value, path, actions }: SchemaFieldsProps) {
  const values = isObject(value) ? value : {};
  const ownValue = ({ name }: FormField) => (Object.hasOwn(values, name) ? values[name] : undefined);
  const isGroup = (field: FormField) => ['object', 'list'].includes(nodeFor(field.node, ownValue(field)).kind);
  const rows: FormField[][] = [];
  for (const field of fields) {
    const row = rows.at(-1);
    if (row?.[0] === undefined || isGroup(field) || isGroup(row[0])) rows.push([field]);
    else row.push(field);
  }
  const partOf = (field: FormField) => (
    <SchemaField
      key={field.name}
      field={field}
      value={ownValue(field)}
      path={[...path, field.name]}
      actions={actions}
    />
  );
  return (
    <div class="form-fields">
      {rows.map((row) =>
        row.some(isGroup) ? (
          row.map(partOf)
        ) : (
          <div key={row[0]?.name} class="form-grid">
            {row.map(partOf)}
          </div>
        ),
      )}
    </div>
  );
}

interface SchemaFieldProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly path: JsonPath;
  readonly actions: FormActions;
}

function SchemaField({ field, value, path, actions }: SchemaFieldProps) {
  const { label, description, example } = field;
  const node = nodeFor(field.node, value);
  const error = actions.problems.get(pathKey(path));
  if (node.kind === 'object') {
    return (
      <fieldset class="form-group">
        <legend>{label}</legend>
        {description !== undefined && <p class="hint">{description}</p>}
        {error !== undefined && <p class="field-error">{error}</p>}
        <SchemaFields fields={node.fields} value={value} path={path} actions={actions} />
      </fieldset>
    );
  }
  if (node.kind === 'list') {
    return (
      <fieldset class="form-group">
        <legend>
          {label} <span class="muted small">{playgroundTexts.count(Array.isArray(value) ? value.length : 0)}</span>
        </legend>
        {description !== undefined && <p class="hint">{description}</p>}
        {error !== undefined && <p class="field-error">{error}</p>}
        <FormList
          item={node.item}
          label={label}
          value={value}
          path={path}
          actions={actions}
          renderFields={(fields, one, at) => <SchemaFields fields={fields} value={one} path={at} actions={actions} />}
        />
      </fieldset>
    );
  }
  return (
    <div class={isWide(node, value) ? 'form-cell wide' : 'form-cell'}>
      <Field label={label} hint={description} error={error}>
        {(attributes) => (
          <FormInput
            node={node}
            value={value}
            attributes={attributes}
            example={example}
            isOptional={actions.isOptional}
            docmill={actions.docmill}
            onValue={(next) => actions.set(path, next)}
          />
        )}
      </Field>
    </div>
  );
}

function isWide(node: PlainNode, value: unknown): boolean {
  if (node.kind === 'picture') return true;
  return node.kind !== 'boolean' && typeof value === 'string' && value.length > 40;
}
