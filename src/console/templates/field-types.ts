import { isObject } from '../json-editor/is-object.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface Field {
  /** The types of its values, such as `string (date)`. */
  readonly type: string;
  readonly isRequired: boolean;
}

/** Deeper schemas are not followed. */
const maxDepth = 20;

/** The fields of the data that a schema describes, by path: `customer.name`, `items[].price`. */
export function fieldTypes(schema: Schema): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const visit = (node: Schema, path: string, depth: number): void => {
    if (depth > maxDepth) return;
    const items = objectOf(node.items);
    // A section that may be a list or an object has the same fields in both.
    if (items !== undefined) {
      visit(items, `${path}[]`, depth + 1);
      return;
    }
    const properties = objectOf(node.properties) ?? {};
    const required = new Set(Array.isArray(node.required) ? node.required : []);
    for (const [name, value] of Object.entries(properties)) {
      const child = objectOf(value);
      if (child === undefined) continue;
      const at = path === '' ? name : `${path}.${name}`;
      fields.set(at, { type: typeOf(child), isRequired: required.has(name) });
      visit(child, at, depth + 1);
    }
  };
  visit(schema, '', 0);
  return fields;
}

function typeOf({ type, format, anyOf, contentEncoding }: Schema): string {
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeOf(objectOf(one) ?? {})))].join(' | ');
  const name = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : 'any';
  if (typeof format === 'string') return `${name} (${format})`;
  return contentEncoding === undefined ? name : `${name} (${String(contentEncoding)})`;
}

function objectOf(value: unknown): Schema | undefined {
  return isObject(value) ? value : undefined;
}
