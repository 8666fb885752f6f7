import { isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import type { TableCell } from '../../core/table-cells.ts';

/** The size of a cell, in twentieths of a point; undefined where the template does not specify it. */
export interface Size {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** Returns a function that finds the size of a cell of the table. */
export function cellSizes(table: readonly ParsedPiece[]): (cell: TableCell) => Size {
  const widths = Array.from(/<w:tblGrid\b[\s\S]*?<\/w:tblGrid>/.exec(valuesOf(table))?.[0].matchAll(column) ?? [], one);
  const heights = table.flatMap((piece, at) => {
    return isTag(piece, 'w:tr', 'start') ? [numberIn(table[at + 1], /<w:trHeight\b[^>]*?w:val=["'](\d+)/)] : [];
  });
  return ({ start, span, row, from }) => {
    const own = widths.slice(start, start + span);
    const width =
      own.length === span
        ? own.reduce((sum, each) => sum + each, 0)
        : numberIn(table[from + 1], /<w:tcW\b[^>]*?w:w=["'](\d+)/);
    return { width, height: heights[row - 1] };
  };
}

const column = /<w:gridCol\b[^>]*?w:w=["'](\d+)/g;
const one = ([, width]: readonly string[]): number => Number(width);

/** The markup before the first row: the table properties and the grid. */
function valuesOf(table: readonly ParsedPiece[]): string {
  const end = table.findIndex((piece) => piece.tag === 'w:tr');
  return table
    .slice(0, Math.max(0, end))
    .map(({ value }) => value)
    .join('');
}

function numberIn(piece: ParsedPiece | undefined, pattern: RegExp): number | undefined {
  const found = piece?.type === 'content' ? pattern.exec(piece.value)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
}

/** Whether a cell is a label, and not a gap between labels, which is much narrower or lower. */
export function isAlike(size: Size, first: Size): boolean {
  return isLargeEnough(size.width, first.width) && isLargeEnough(size.height, first.height);
}

const gapShare = 0.5;

function isLargeEnough(length: number | undefined, first: number | undefined): boolean {
  return length === undefined || first === undefined || length > gapShare * first;
}
