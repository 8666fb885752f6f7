import { fieldTypes } from '../field-types.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface FieldChange {
  readonly kind: 'added' | 'removed' | 'retyped' | 'required' | 'optional';
  /** Path in the data: `customer.name`, `items[].price`. */
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/**
 * The differences between the data of two versions, sorted by path. An added or removed object is one difference; its
 * fields are not listed.
 */
export function compareFields(before: Schema, after: Schema): readonly FieldChange[] {
  const [old, next] = [fieldTypes(before), fieldTypes(after)];
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
