import { isObject } from '../../json-editor/is-object.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface FieldChange {
  readonly kind: 'added' | 'removed' | 'retyped' | 'required' | 'optional';
  /** Path in the data: `customer.name`, `items[].price`. */
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

interface Field {
  readonly type: string;
  readonly isRequired: boolean;
}

/** Deeper schemas are not followed. */
const maxDepth = 20;

/**
 * The differences between the data of two versions, sorted by path. An added or removed object is one difference; its
 * fields are not listed.
 */
export function compareFields(before: Schema, after: Schema): readonly FieldChange[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  const changes: FieldChange[] = [];
  const isCovered = (path: string, kind: FieldChange['kind']): boolean =>
    changes.some(
      (change) => change.kind === kind && (path.startsWith(`${change.path}.`) || path.startsWith(`${change.path}[]`)),
    );
  for (const path of [...new Set([...old.keys(), ...next.keys()])].sort()) {
    const [from, to] = [old.get(path), next.get(path)];
    if (to === undefined && !isCovered(path, 'removed')) changes.push({ kind: 'removed', path });
    else if (from === undefined && !isCovered(path, 'added')) changes.push({ kind: 'added', path });
    else if (from === undefined || to === undefined) continue;
    else if (from.type !== to.type) changes.push({ kind: 'retyped', path, before: from.type, after: to.type });
    else if (from.isRequired !== to.isRequired) changes.push({ kind: to.isRequired ? 'required' : 'optional', path });
  }
  return changes;
}

function fieldsOf(schema: Schema): ReadonlyMap<string, Field> {
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
