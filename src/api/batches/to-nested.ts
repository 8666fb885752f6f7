import type { Column } from './csv-columns.ts';

type Nested = { [key: string]: Value };
type Value = string | Nested | Value[];

/**
 * A flat row as data. Elements at the end of a list that have no value in any column are left out: rows have lists of
 * different lengths, columns do not.
 */
export function toNested(columns: readonly Column[], values: readonly string[]): Nested {
  const root: Nested = {};
  for (const [index, column] of columns.entries()) setAt(root, column, values[index] ?? '');
  for (const key of Object.keys(root)) trim(root[key]);
  return root;
}

function setAt(root: Nested, column: Column, value: string): void {
  let parent: Nested | Value[] = root;
  for (const [depth, key] of column.entries()) {
    const next = column[depth + 1];
    const child: Value = next === undefined ? value : (read(parent, key) ?? (typeof next === 'number' ? [] : {}));
    write(parent, key, child);
    if (typeof child !== 'string') parent = child;
  }
}

/** The list or object that is there already. */
function read(parent: Nested | Value[], key: string | number): Nested | Value[] | undefined {
  const child = Array.isArray(parent) ? parent[Number(key)] : Object.hasOwn(parent, key) ? parent[key] : undefined;
  return typeof child === 'string' ? undefined : child;
}

function write(parent: Nested | Value[], key: string | number, child: Value): void {
  if (!Array.isArray(parent)) {
    parent[key] = child;
    return;
  }
  // Columns may name the elements in any order, and leave some out.
  while (parent.length < Number(key)) parent.push('');
  parent[Number(key)] = child;
}

function trim(value: Value | undefined): boolean {
  if (value === undefined || value === '') return true;
  if (typeof value === 'string') return false;
  if (!Array.isArray(value)) return Object.values(value).map(trim).every(Boolean);
  const areEmpty = value.map(trim);
  while (value.length > 0 && areEmpty[value.length - 1] === true) value.pop();
  return value.length === 0;
}
