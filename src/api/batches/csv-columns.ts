import { AppError, type ErrorDetail } from '../../shared/errors.ts';
import { batchLimits } from './batch-limits.ts';

/** Where a column's values go: `customer.name` is `['customer', 'name']`, `items[0].price` is `['items', 0, 'price']`. */
export type Column = readonly (string | number)[];

const segment = /^([^.[\]\p{Cc}]+)((?:\[\d{1,2}\])*)$/u;
const reserved = new Set(['__proto__', 'constructor', 'prototype']);
const maxDepth = 16;
/** Every row repeats the names in its data, and the elements that the columns leave out. */
const maxNameLength = 200;
const maxGaps = 1_000;

/** Reads the header row; throws `invalid_request` with one entry for each column that cannot be. */
export function parseColumns(header: readonly string[]): readonly Column[] {
  if (header.length > batchLimits.columns) throw invalidHeader([{ name: 'header', problem: tooMany }]);
  const problems: { name: string; problem: string }[] = [];
  const taken = new Map<string, 'value' | 'list' | 'object'>();
  const columns = header.map((name, index) => {
    const column = parsePath(name.trim());
    const problem = problemOf(name, column) ?? claim(taken, column ?? []);
    if (problem !== undefined) problems.push({ name: name.trim() || `column ${index + 1}`, problem });
    return column ?? [];
  });
  if (problems.length > 0) throw invalidHeader(problems);
  if (countGaps(columns) > maxGaps) throw invalidHeader([{ name: 'header', problem: tooSparse }]);
  return columns;
}

const tooMany = `names more than ${batchLimits.columns} columns`;
const tooSparse = `leaves out more than ${maxGaps} elements of lists, as items[99] alone leaves out 99`;
const tooLong = `has more than ${maxNameLength} characters`;
const notAPath = 'must be a path such as name, customer.name or items[0].price';
const otherDelimiter = 'holds a semicolon: columns are separated by commas';

function problemOf(name: string, column: Column | undefined): string | undefined {
  if (name.includes(';')) return otherDelimiter;
  if (name.length > maxNameLength) return tooLong;
  return column === undefined ? notAPath : undefined;
}

/** How many elements of lists no column names, though one names an element behind them. */
function countGaps(columns: readonly Column[]): number {
  const lists = new Map<string, Set<number>>();
  for (const column of columns) {
    for (const [depth, step] of column.entries()) {
      if (typeof step !== 'number') continue;
      const list = JSON.stringify(column.slice(0, depth));
      lists.set(list, (lists.get(list) ?? new Set()).add(step));
    }
  }
  return [...lists.values()].reduce((sum, named) => sum + Math.max(...named) + 1 - named.size, 0);
}

function parsePath(name: string): Column | undefined {
  const column: (string | number)[] = [];
  for (const part of name.split('.')) {
    const [, key = '', indexes = ''] = segment.exec(part) ?? [];
    if (key === '' || reserved.has(key)) return undefined;
    column.push(key);
    for (const [, index] of indexes.matchAll(/\[(\d+)\]/g)) column.push(Number(index));
  }
  return column.length <= maxDepth ? column : undefined;
}

/** A path is one value, or one list, or one object; and one column's only. */
function claim(taken: Map<string, 'value' | 'list' | 'object'>, column: Column): string | undefined {
  for (let depth = 1; depth <= column.length; depth++) {
    const place = JSON.stringify(column.slice(0, depth));
    const next = column[depth];
    const kind = next === undefined ? 'value' : typeof next === 'number' ? 'list' : 'object';
    const before = taken.get(place);
    if (before !== undefined && before !== kind) return 'says of one place that it is two different things';
    if (before === 'value') return 'is named twice';
    taken.set(place, kind);
  }
  return undefined;
}

function invalidHeader(problems: readonly { readonly name: string; readonly problem: string }[]): AppError {
  const details: ErrorDetail[] = problems.slice(0, 50).map(({ name, problem }) => ({
    type: 'Field',
    path: name.toWellFormed().slice(0, 200),
    message: problem,
  }));
  return new AppError('invalid_request', 'The header row of the CSV has names that cannot be used', { details });
}
