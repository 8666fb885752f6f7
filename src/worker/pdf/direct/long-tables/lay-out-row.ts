import { breakLines, type FontOf, type Lines } from './break-lines.ts';
import type { Cell, Paragraph, Row } from './document-tree.ts';

/** A paragraph of a cell, laid out: the space above it, its lines, and the space below it if it is the last one. */
export interface Block {
  readonly above: number;
  readonly below: number;
  readonly lines: readonly number[];
  /** The fewest lines that may stand alone above and below a page end. */
  readonly leastLines: number;
}

/** A row, laid out. Heights are twips, without the border above the row. */
export interface RowLayout {
  readonly cells: readonly (readonly Block[])[];
  /** The height if the row is not split. */
  readonly height: number;
  readonly canSplit: boolean;
  /** Whether its height was measured, or no line break is too close to call. */
  readonly isCertain: boolean;
}

/** The margins of cells and the border between rows, in twips. */
export interface RowFrame {
  readonly top: number;
  readonly bottom: number;
  readonly border: number;
}

/** Ways in which the lines of a row that are too close to call are tried. */
const mostWays = 64;
/** LibreOffice reports distances in hundredths of a millimetre, rounded at both ends. */
const measuredWithin = 2;

/**
 * Breaks the text of a row into lines: for a row that was measured, into those that make it so high, if there are any. Throws
 * UnknownFeature.
 */
export function layOutRow(row: Row, frame: RowFrame, fontOf: FontOf, measuredHeight?: number): RowLayout {
  const lines = row.cells.map((cell) =>
    cell.paragraphs.map((paragraph) => breakLines(paragraph, cell.textWidth, fontOf)),
  );
  // A row of a fixed height does not depend on its lines.
  const isCertain = row.exactHeight > 0 || lines.flat().every(({ others }) => others.length === 0);
  if (isCertain || measuredHeight === undefined) {
    const heights = lines.map((cell) => cell.map((paragraph) => paragraph.heights));
    return rowOf(row, heights, frame, isCertain);
  }
  const ways = waysOf(lines).map((heights) => rowOf(row, heights, frame, true));
  const measured = ways.find(({ height }) => Math.abs(height - measuredHeight) <= measuredWithin);
  return measured ?? { ...(ways[0] as RowLayout), isCertain: false };
}

type Heights = readonly (readonly number[])[];

/** The heights of all lines of a row's cells, as computed and then with more or fewer lines. */
function waysOf(cells: readonly (readonly Lines[])[]): readonly Heights[][] {
  let ways: Heights[][] = [[]];
  for (const cell of cells) {
    let inCell: Heights[] = [[]];
    for (const { heights, others } of cell)
      inCell = [heights, ...others].flatMap((way) => inCell.map((before) => [...before, way])).slice(0, mostWays);
    ways = inCell.flatMap((way) => ways.map((before) => [...before, way])).slice(0, mostWays);
  }
  return ways;
}

function rowOf(row: Row, heights: readonly Heights[], frame: RowFrame, isCertain: boolean): RowLayout {
  const cells = row.cells.map((cell, index) => blocksOf(cell, heights[index] ?? [], frame));
  const isExact = row.exactHeight > 0;
  return {
    cells,
    // A height that the document gives includes the border.
    height: Math.max(0, isExact ? row.exactHeight - frame.border : Math.max(...cells.map(heightOf))),
    // Word and LibreOffice do not split rows of a fixed height.
    canSplit: row.canSplit && !isExact,
    isCertain,
  };
}

/** The height of blocks that stand below each other. */
export function heightOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { above, below, lines }) => sum + above + lines.reduce((a, b) => a + b, 0) + below, 0);
}

function blocksOf({ paragraphs }: Cell, lines: readonly (readonly number[])[], frame: RowFrame): Block[] {
  return paragraphs.map((paragraph, index) => {
    const previous = paragraphs[index - 1];
    const isLast = index === paragraphs.length - 1;
    return {
      above: (index === 0 ? frame.top : 0) + spaceBetween(previous, paragraph),
      below: isLast ? paragraph.after + frame.bottom : 0,
      lines: lines[index] ?? [],
      leastLines: paragraph.keepsLines ? Number.MAX_SAFE_INTEGER : paragraph.hasWidowControl ? 2 : 1,
    };
  });
}

/** The larger of the two spaces counts (`DocumentSettingId::PARA_SPACE_MAX`); none where both want none between their style. */
function spaceBetween(previous: Paragraph | undefined, paragraph: Paragraph): number {
  if (previous === undefined) return paragraph.before;
  const isAlike = previous.style === paragraph.style;
  const after = isAlike && previous.hasContextualSpacing ? 0 : previous.after;
  const before = isAlike && paragraph.hasContextualSpacing ? 0 : paragraph.before;
  return Math.max(after, before);
}
