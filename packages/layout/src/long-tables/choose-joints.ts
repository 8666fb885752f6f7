import { nextPageStart, type PageFrame, type PageStart } from './fill-pages.ts';
import { heightOfBlocks, type TextRow } from './lay-out-text-row.ts';

/** A row that begins a page, found by LibreOffice. Body rows count from 0. */
export interface FoundStart {
  readonly row: number;
  /** The number of pages since the previous start. */
  readonly pages: number;
  /**
   * The distance from the first line of the previous row to that of this row, counted through all pages, in hundredths
   * of a millimetre.
   */
  readonly gap: number;
}

/** A row that begins a page according to the row heights, with what LibreOffice must find around it. */
export interface Joint extends FoundStart {
  /** The distance from the first line of this row to that of the next one; null if that is on another page. */
  readonly pitch: number | null;
  /**
   * The column in which the text of the previous row extends furthest down, and its height from the first to the last
   * line.
   */
  readonly column: number;
  readonly depth: number;
}

export interface JointRequest {
  readonly frame: PageFrame;
  /** The last two page starts that LibreOffice has found; the first may be missing. */
  readonly found: readonly FoundStart[];
  /** The minimum number of rows in a part. */
  readonly partRows: number;
}

const hundredthsPerTwip = 2_540 / 1_440;
/** A row certainly begins a page only if its first line does not fit on the previous page by more than any rounding. */
const leastLackTwips = 60;
const mostPages = 400;
/** Parts with more than this multiple of the usual number of rows are not worthwhile. */
const mostUsualParts = 10;

/** Whether the row heights lead from one page start that LibreOffice has found to the next. */
export function leadsToNext(rows: readonly TextRow[], { frame, found }: JointRequest): boolean {
  const [first, second] = found;
  if (first === undefined || second === undefined) return false;
  return stepTo(rows, first.row, second, frame) !== undefined;
}

/**
 * The joints after the last known start, for parts of about `partRows` rows; undefined if no suitable row certainly
 * begins a page.
 */
export function chooseJoints(rows: readonly TextRow[], request: JointRequest): Joint[] | undefined {
  const { frame, found, partRows } = request;
  const [first, second] = found;
  if (first === undefined || second === undefined) return undefined;
  const known = stepTo(rows, first.row, second, frame);
  if (known?.isBelowWholeRow !== true) return undefined;
  // All gaps across a page end have this in common: margins, header and footer, and the heading rows.
  const between = second.gap - toHundredths(heightAt(rows, second.row - 1) + known.free);
  const joints: Joint[] = [];
  let [joined, pages, at] = [second.row, 0, second.row];
  while (rows.length - joined > partRows * 2) {
    const next = nextPageStart(rows, at, frame, mostPages);
    if (next === undefined || next.row - joined > partRows * mostUsualParts) return undefined;
    pages += next.pages;
    at = next.row;
    if (at - joined < partRows || !isDecisive(rows, next, frame)) continue;
    const gap = between + toHundredths(heightAt(rows, at - 1) + next.free);
    joints.push({ row: at, pages, gap: Math.round(gap), ...aroundRow(rows, at, frame) });
    [joined, pages] = [at, 0];
  }
  return joints;
}

/** The start `to`, if it is on the page where LibreOffice has found it. */
function stepTo(rows: readonly TextRow[], from: number, to: FoundStart, frame: PageFrame): PageStart | undefined {
  let [at, pages] = [from, 0];
  while (at < to.row) {
    const next = nextPageStart(rows, at, frame, mostPages);
    if (next === undefined) return undefined;
    pages += next.pages;
    at = next.row;
    if (at === to.row) return pages === to.pages ? next : undefined;
  }
  return undefined;
}

function heightAt(rows: readonly TextRow[], row: number): number {
  return rows[row]?.height ?? 0;
}

/** Whether the row certainly begins its page, because not even one line of it fits on the previous page. */
function isDecisive(
  rows: readonly TextRow[],
  { row, free, isBelowWholeRow }: PageStart,
  { border }: PageFrame,
): boolean {
  const [before, current] = [rows[row - 1], rows[row]];
  if (before === undefined || current === undefined || !isBelowWholeRow || !before.isCertain) return false;
  const firstLines = current.cells.map((blocks) => (blocks[0]?.above ?? 0) + (blocks[0]?.lines[0]?.height ?? 0));
  const needed = border + (current.canSplit ? Math.min(...firstLines) : current.height);
  return free >= 0 && free + leastLackTwips <= needed;
}

function aroundRow(
  rows: readonly TextRow[],
  row: number,
  { height, heading, border }: PageFrame,
): Pick<Joint, 'pitch' | 'column' | 'depth'> {
  const own = heightAt(rows, row) + border;
  const isNextBelow = row + 1 < rows.length && heading + own + 2 * border + heightAt(rows, row + 1) <= height;
  const cells = rows[row - 1]?.cells ?? [];
  const depths = cells.map((blocks) => {
    const [first, last] = [blocks[0], blocks.at(-1)];
    return heightOfBlocks(blocks) - (first?.above ?? 0) - (last?.below ?? 0) - (last?.lines.at(-1)?.height ?? 0);
  });
  const depth = Math.max(0, ...depths);
  return {
    pitch: isNextBelow ? Math.round(toHundredths(own)) : null,
    column: Math.max(0, depths.indexOf(depth)),
    depth: Math.round(toHundredths(depth)),
  };
}

function toHundredths(twips: number): number {
  return twips * hundredthsPerTwip;
}
