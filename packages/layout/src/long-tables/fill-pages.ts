import { heightOf } from '../layout/lay-out-paragraph.ts';
import { heightOfBlocks, type TextBlock, type TextRow } from './lay-out-text-row.ts';

export interface PageFrame {
  /** The height available for rows on a page, in twips. */
  readonly height: number;
  /** The height of the heading rows, including the borders above them. */
  readonly heading: number;
  readonly border: number;
}

/** A row that begins a page without any part of the previous row on that page. */
export interface PageStart {
  readonly row: number;
  /** The number of pages since the first page filled. */
  readonly pages: number;
  /** The free space at the end of the previous page, excluding the border below its last row. */
  readonly free: number;
  /** Whether the whole previous row is on the previous page. */
  readonly isBelowWholeRow: boolean;
}

/** A row whose upper part may be on an earlier page. */
interface Rest {
  readonly cells: readonly (readonly TextBlock[])[];
  readonly height: number;
  readonly canSplit: boolean;
}

/**
 * The next row that cleanly begins a page, after a page that begins with row `start`; undefined if there is none within
 * `mostPages` pages.
 */
export function nextPageStart(
  rows: readonly TextRow[],
  start: number,
  frame: PageFrame,
  mostPages: number,
): PageStart | undefined {
  let row = start;
  let rest: Rest | undefined;
  for (let pages = 1; pages <= mostPages; pages++) {
    let free = frame.height - frame.heading - frame.border;
    let isFirst = true;
    let isBelowWholeRow = false;
    while (row < rows.length) {
      const current: Rest | undefined = rest ?? rows[row];
      if (current === undefined) return undefined;
      const needed = frame.border + current.height;
      if (needed <= free) {
        free -= needed;
        isBelowWholeRow = rest === undefined;
        rest = undefined;
        row++;
        isFirst = false;
        continue;
      }
      const split = current.canSplit ? splitRow(current, free - frame.border) : undefined;
      if (split !== undefined) {
        rest = split;
        break;
      }
      // The row does not even fit on an empty page.
      if (isFirst || rest !== undefined) return undefined;
      return { row, pages, free, isBelowWholeRow };
    }
    if (row >= rows.length) return undefined;
  }
  return undefined;
}

/** The part of a row that goes to the next page; undefined if no part stays. */
function splitRow({ cells, canSplit }: Rest, free: number): Rest | undefined {
  if (free <= 0) return undefined;
  const parts = cells.map((blocks) => splitCell(blocks, free));
  // Each cell with text must keep some of it.
  if (parts.some((part) => part === undefined)) return undefined;
  const rests = parts.map((part) => part ?? []);
  const height = Math.max(...rests.map(heightOfBlocks));
  return { cells: rests, height: Math.max(height, 0), canSplit };
}

/** The blocks of a cell below a page end; undefined if none of the cell is above it. */
function splitCell(blocks: readonly TextBlock[], free: number): readonly TextBlock[] | undefined {
  let used = 0;
  for (const [index, block] of blocks.entries()) {
    const kept = linesAbove(block, free - used - block.above);
    if (kept < block.lines.length) {
      if (index === 0 && kept === 0) return undefined;
      const above = kept > 0 ? 0 : block.above;
      return [{ ...block, above, lines: block.lines.slice(kept) }, ...blocks.slice(index + 1)];
    }
    used += heightOfBlocks([block]);
  }
  return [];
}

/** The number of lines of a paragraph that stay above a page end with this much free space. */
function linesAbove({ lines, leastLines }: TextBlock, free: number): number {
  let fit = 0;
  while (fit < lines.length && heightOf(lines.slice(0, fit + 1)) <= free) fit++;
  if (fit === lines.length) return fit;
  const kept = Math.min(fit, lines.length - leastLines);
  return kept >= leastLines ? kept : 0;
}
