import type { CellFormat } from '../../../shared/cells/read-cell.ts';
import type { Column } from '../file/inspect-file.ts';
import { keyOf, type Path } from '../path.ts';
import type { TemplateField } from './template-fields.ts';

/** Where the value of a field comes from: one column, several columns for its parts, or one text for all rows. */
export type FieldSource =
  | {
      readonly kind: 'column';
      readonly column: number;
      /** The format that the user chose for its cells; undefined for the detected one. */
      readonly format?: CellFormat | undefined;
    }
  | { readonly kind: 'parts' }
  | { readonly kind: 'text'; readonly text: string };

/** By the key of the field; a field without an entry gets no value. */
export type Mapping = ReadonlyMap<string, FieldSource>;

/**
 * Finds the column of each field: the one with the same path; then one that differs only in case, spaces and
 * punctuation (`Customer Name`); then the only one named like the last part of the field (`name`), if the match is
 * unique on both sides.
 */
export function matchColumns(fields: readonly TemplateField[], columns: readonly Column[]): Mapping {
  const mapping = new Map<string, FieldSource>();
  const free = new Set(columns.keys());
  const join = (keyOfField: (field: TemplateField) => string, keyOfColumn: (column: Column) => string): void => {
    const open = fields.filter(({ key }) => !mapping.has(key));
    const fieldsByKey = group(open, keyOfField);
    const columnsByKey = group([...free], (index) => (columns[index] === undefined ? '' : keyOfColumn(columns[index])));
    for (const [key, [field, ...others]] of fieldsByKey) {
      const [column, ...rivals] = columnsByKey.get(key) ?? [];
      if (key === '' || field === undefined || column === undefined || others.length + rivals.length > 0) continue;
      mapping.set(field.key, { kind: 'column', column });
      free.delete(column);
    }
  };
  join(
    ({ key }) => key,
    ({ path }) => (path === undefined ? '' : keyOf(path)),
  );
  for (const field of fields) {
    const parts = [...free].filter((index) => isBelow(columns[index]?.path, field.path));
    if (mapping.has(field.key) || parts.length === 0) continue;
    mapping.set(field.key, { kind: 'parts' });
    for (const index of parts) free.delete(index);
  }
  join(
    ({ name }) => plain(name),
    ({ name }) => plain(name),
  );
  join(
    ({ path }) => plain(String(path.findLast((part) => typeof part === 'string') ?? '')),
    ({ name }) => plain(name),
  );
  return mapping;
}

function isBelow(path: Path | undefined, above: Path): boolean {
  return path !== undefined && path.length > above.length && above.every((part, depth) => path[depth] === part);
}

/** Keeps only letters and digits, without accents and in lower case. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function group<T>(all: Iterable<T>, keyOfOne: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOfOne(one);
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [one]);
    else found.push(one);
  }
  return groups;
}

/** The number of elements of each list that the columns name; at least one, so that one can be chosen by hand. */
export function countElements(columns: readonly Column[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path = [] } of columns) {
    for (const [depth, part] of path.entries()) {
      if (typeof part !== 'number') continue;
      const key = keyOf(path.slice(0, depth));
      counts.set(key, Math.max(counts.get(key) ?? 1, part + 1));
    }
  }
  return counts;
}
