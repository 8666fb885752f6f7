import { heightOf } from '../layout/lay-out-paragraph.ts';
import { heightOfBlocks, type TextBlock, type TextRow } from './lay-out-text-row.ts';

export interface PageFrame {
  /** The height that rows may take on a page, in twips. */
  readonly height: number;
  /** The height of the heading rows with the borders above them. */
  readonly heading: number;
  readonly border: number;
}

/** A row that begins a page, with nothing of the row before it on that page. */
export interface PageStart {
  readonly row: number;
  /** Pages since the page that was filled first. */
  readonly pages: number;
  /** Free space at the end of the page before, without the border below its last row. */
  readonly free: number;
  /** Whether all of the row before stands on the page before. */
  readonly isBelowWholeRow: boolean;
}

/** A row of which the upper part may be on a page before. */
interface Rest {
  readonly cells: readonly (readonly TextBlock[])[];
  readonly height: number;
  readonly canSplit: boolean;
}

/**
 * The next row that begins a page cleanly after a page that begins with row `start`, or undefined if there is none within
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
      // Nothing fits on an empty page.
      if (isFirst || rest !== undefined) return undefined;
      return { row, pages, free, isBelowWholeRow };
    }
    if (row >= rows.length) return undefined;
  }
  return undefined;
}

/** The part of a row that goes to the next page, or undefined if no part of it stays. */
function splitRow({ cells, canSplit }: Rest, free: number): Rest | undefined {
  if (free <= 0) return undefined;
  const parts = cells.map((blocks) => splitCell(blocks, free));
  // Each cell with text keeps some of it.
  if (parts.some((part) => part === undefined)) return undefined;
  const rests = parts.map((part) => part ?? []);
  const height = Math.max(...rests.map(heightOfBlocks));
  return { cells: rests, height: Math.max(height, 0), canSplit };
}

/** The blocks of a cell below a page end; undefined if nothing of the cell is above it. */
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

/** How many lines of a paragraph stay above a page end with this much free space. */
function linesAbove({ lines, leastLines }: TextBlock, free: number): number {
  let fit = 0;
  while (fit < lines.length && heightOf(lines.slice(0, fit + 1)) <= free) fit++;
  if (fit === lines.length) return fit;
  const kept = Math.min(fit, lines.length - leastLines);
  return kept >= leastLines ? kept : 0;
}
