import { hasOwn, isRecord } from '../json-value.ts';

/** A difference between the data of two versions of a template. */
export interface FieldChange {
  /** Path in the data, such as `customer.name` or `items[].price`. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The types in the deployed version and in the file; null if the field is missing. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The differences between the JSON Schemas (2020-12) of two versions, sorted by name. */
export function compareFields(from: unknown, to: unknown): readonly FieldChange[] {
  const [before, after] = [readFields(from), readFields(to)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name): readonly FieldChange[] => {
    const [old = null, next = null] = [before.get(name), after.get(name)];
    if (old === next) return [];
    return [{ name, change: old === null ? 'added' : next === null ? 'removed' : 'changed', from: old, to: next }];
  });
}

/** The type of each field, such as `string, required`. */
function readFields(schema: unknown): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (!isRecord(value)) return;
    const required = Array.isArray(value.required) ? value.required : [];
    // A section that may be a list or an object has the same fields in both.
    const properties = isRecord(value.properties) && !isRecord(value.items) ? value.properties : {};
    for (const name of Object.keys(properties)) {
      const field = hasOwn(properties, name) ? properties[name] : undefined;
      const fieldPath = path === '' ? name : `${path}.${name}`;
      fields.set(fieldPath, `${typeOf(field)}, ${required.includes(name) ? 'required' : 'optional'}`);
      visit(field, fieldPath);
    }
    visit(value.items, `${path}[]`);
    visit(value.additionalProperties, path === '' ? '*' : `${path}.*`);
    for (const choice of choicesOf(value)) visit(choice, path);
  };
  visit(schema, '');
  return fields;
}

const choicesOf = ({ anyOf, oneOf }: Record<string, unknown>): readonly unknown[] =>
  [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return 'anything';
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' or ');
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => typeof type === 'string');
  const detail = [schema.format, schema.contentMediaType, schema.contentEncoding].find(
    (value) => typeof value === 'string',
  );
  const name = types.length === 0 ? 'anything' : types.join(' or ');
  return detail === undefined ? name : `${name} (${String(detail)})`;
}
