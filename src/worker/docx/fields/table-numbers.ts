import type { Cell, Table } from './read-fields.ts';

/** The cells that a reference in a formula names (ECMA-376 part 1, 17.16.3.3); undefined if there are none. */
export function cellsOf(reference: string, table: Table | undefined, from: Cell | undefined): Cell[] | undefined {
  if (table === undefined) return undefined;
  const all = table.rows.flat();
  if (/^[A-Z]+$/.test(reference) && reference.length > 2) return from && beside(all, reference, from);
  const [first = '', last = first] = reference.split(':');
  const [start, end] = [readPlace(first), readPlace(last)];
  if (start === undefined || end === undefined) return undefined;
  const [left, right] = order(start.index ?? 0, end.index ?? Number.POSITIVE_INFINITY);
  const [top, bottom] = order(start.row ?? 0, end.row ?? Number.POSITIVE_INFINITY);
  const found = all.filter(({ row, index }) => row >= top && row <= bottom && index >= left && index <= right);
  return found.length === 0 ? undefined : found.filter((cell) => cell !== from);
}

const order = (a: number, b: number): readonly [number, number] => (a <= b ? [a, b] : [b, a]);

function beside(all: readonly Cell[], direction: string, { row, column, index }: Cell): Cell[] {
  const isInColumn = (cell: Cell): boolean => cell.column <= column && column < cell.column + cell.span;
  switch (direction) {
    case 'ABOVE':
      return all.filter((cell) => cell.row < row && isInColumn(cell));
    case 'BELOW':
      return all.filter((cell) => cell.row > row && isInColumn(cell));
    case 'LEFT':
      return all.filter((cell) => cell.row === row && cell.index < index);
    default:
      return all.filter((cell) => cell.row === row && cell.index > index);
  }
}

/** A place such as `B3`, a column such as `B` or a row such as `3`, counted from 0. */
function readPlace(name: string): { readonly index?: number; readonly row?: number } | undefined {
  const [, letters = '', digits = ''] = /^([A-Z]{0,2})(\d{0,5})$/.exec(name) ?? [];
  if (letters === '' && digits === '') return undefined;
  const index = [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { ...(letters !== '' && { index }), ...(digits !== '' && { row: Number(digits) - 1 }) };
}
