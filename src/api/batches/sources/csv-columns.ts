import type { CellValue } from '../../../shared/cells/read-cell.ts';
import { AppError, type ErrorDetail } from '../../../shared/errors.ts';
import { batchLimits } from '../batch-limits.ts';

/**
 * The path of a column's values in the data: `customer.name` is `['customer', 'name']`, `items[0].price` is `['items',
 * 0, 'price']`.
 */
export type CsvColumn = readonly (string | number)[];

const segment = /^([^.[\]\p{Cc}]+)((?:\[\d{1,2}\])*)$/u;
const reserved = new Set(['__proto__', 'constructor', 'prototype']);
const maxPathLength = 16;
// Each row's data repeats the column names and fills the list elements that no column names, so both are bounded.
const maxNameLength = 200;
const maxGaps = 1_000;

/** Parses the header row; throws `invalid_request` with one entry for each invalid column. */
export function parseColumns(header: readonly string[]): readonly CsvColumn[] {
  if (header.length > batchLimits.columns) throw invalidHeader([{ name: 'header', problem: tooMany }]);
  const problems: { name: string; problem: string }[] = [];
  const kinds = new Map<string, 'value' | 'list' | 'object'>();
  const columns = header.map((name, index) => {
    const column = parsePath(name.trim());
    const problem = findProblem(name, column) ?? recordPaths(kinds, column ?? []);
    if (problem !== undefined) problems.push({ name: name.trim() || `column ${index + 1}`, problem });
    return column ?? [];
  });
  if (problems.length > 0) throw invalidHeader(problems);
  if (countGaps(columns) > maxGaps) throw invalidHeader([{ name: 'header', problem: tooSparse }]);
  return columns;
}

const tooMany = `names more than ${batchLimits.columns} columns`;
const tooSparse = `leaves out more than ${maxGaps} list elements; items[99] alone leaves out 99`;
const tooLong = `has more than ${maxNameLength} characters`;
const notAPath = 'must be a path such as name, customer.name or items[0].price';
const otherDelimiter = 'contains a semicolon; separate columns with commas';

function findProblem(name: string, column: CsvColumn | undefined): string | undefined {
  if (name.includes(';')) return otherDelimiter;
  if (name.length > maxNameLength) return tooLong;
  return column === undefined ? notAPath : undefined;
}

/** The number of gaps: list elements below the highest named one that no column names. */
function countGaps(columns: readonly CsvColumn[]): number {
  const lists = new Map<string, Set<number>>();
  for (const column of columns) {
    for (const [depth, key] of column.entries()) {
      if (typeof key !== 'number') continue;
      const list = JSON.stringify(column.slice(0, depth));
      lists.set(list, (lists.get(list) ?? new Set()).add(key));
    }
  }
  return [...lists.values()].reduce((sum, named) => sum + Math.max(...named) + 1 - named.size, 0);
}

function parsePath(name: string): CsvColumn | undefined {
  const column: (string | number)[] = [];
  for (const part of name.split('.')) {
    const [, key = '', indexes = ''] = segment.exec(part) ?? [];
    if (key === '' || reserved.has(key)) return undefined;
    column.push(key);
    for (const [, index] of indexes.matchAll(/\[(\d+)\]/g)) column.push(Number(index));
  }
  return column.length <= maxPathLength ? column : undefined;
}

/**
 * Records the paths of a column. Returns a problem if a path is used as more than one of value, list and object, or if
 * two columns have the same path.
 */
function recordPaths(kinds: Map<string, 'value' | 'list' | 'object'>, column: CsvColumn): string | undefined {
  for (let depth = 1; depth <= column.length; depth++) {
    const path = JSON.stringify(column.slice(0, depth));
    const next = column[depth];
    const kind = next === undefined ? 'value' : typeof next === 'number' ? 'list' : 'object';
    const previous = kinds.get(path);
    if (previous !== undefined && previous !== kind) return 'uses the same path for two different kinds of value';
    if (previous === 'value') return 'is named twice';
    kinds.set(path, kind);
  }
  return undefined;
}

function invalidHeader(problems: readonly { readonly name: string; readonly problem: string }[]): AppError {
  const details: ErrorDetail[] = problems.slice(0, 50).map(({ name, problem }) => ({
    type: 'Field',
    path: name.toWellFormed().slice(0, 200),
    message: problem,
  }));
  return new AppError('invalid_request', 'The header row of the CSV has invalid names', { details });
}

type Nested = { [key: string]: Value };
type Container = Nested | Value[];
type Value = CellValue | Container;

/**
 * Converts a row of values to nested data. Trailing list elements without values are omitted, because lists may be
 * shorter in some rows than in others.
 *
 * @param read values that replace those of some columns, by column index
 */
export function toNested(
  columns: readonly CsvColumn[],
  values: readonly string[],
  read: ReadonlyMap<number, CellValue>,
): Nested {
  const root: Nested = {};
  for (const [index, column] of columns.entries()) setAt(root, column, values[index] ?? '');
  for (const key of Object.keys(root)) trim(root[key]);
  // Runs after trimming: an empty cell of a yes-or-no column is false, but must not create a list element.
  for (const [index, value] of read) replaceAt(root, columns[index] ?? [], value);
  return root;
}

function replaceAt(root: Nested, column: CsvColumn, value: CellValue): void {
  const parent = column.slice(0, -1).reduce<Container | undefined>((found, key) => found && childOf(found, key), root);
  const key = column.at(-1);
  if (parent === undefined || key === undefined) return;
  if (!Array.isArray(parent) || Number(key) < parent.length) write(parent, key, value);
}

function setAt(root: Nested, column: CsvColumn, value: string): void {
  let parent: Container = root;
  for (const [depth, key] of column.entries()) {
    const next = column[depth + 1];
    if (next === undefined) {
      write(parent, key, value);
      return;
    }
    const child: Container = childOf(parent, key) ?? (typeof next === 'number' ? [] : {});
    write(parent, key, child);
    parent = child;
  }
}

/** The list or object that an earlier column created. */
function childOf(parent: Container, key: string | number): Container | undefined {
  const child = Array.isArray(parent) ? parent[Number(key)] : Object.hasOwn(parent, key) ? parent[key] : undefined;
  return typeof child === 'object' ? child : undefined;
}

function write(parent: Container, key: string | number, child: Value): void {
  if (!Array.isArray(parent)) {
    parent[key] = child;
    return;
  }
  // Columns may name elements in any order and skip some.
  while (parent.length < Number(key)) parent.push('');
  parent[Number(key)] = child;
}

function trim(value: Value | undefined): boolean {
  if (value === undefined || value === '') return true;
  if (typeof value !== 'object') return false;
  if (!Array.isArray(value)) return Object.values(value).map(trim).every(Boolean);
  const areEmpty = value.map(trim);
  while (value.length > 0 && areEmpty[value.length - 1] === true) value.pop();
  return value.length === 0;
}
