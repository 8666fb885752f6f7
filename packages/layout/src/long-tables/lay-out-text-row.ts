import type { Block, Row } from '../document/tree.ts';
import type { SizedFontOf } from '../fonts/find-faces.ts';
import { heightOf, type ParagraphHeights, spaceBetween } from '../layout/lay-out-paragraph.ts';
import { layOutRow } from '../layout/lay-out-table.ts';
import type { LineHeight } from '../layout/line-height.ts';
import type { RowLayout } from '../layout/row-layout.ts';
import type { StackHeights } from '../layout/stack.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { breakLines, type Lines } from './break-lines.ts';

/** The layout of a paragraph in a cell: the space above it, its lines, and the space below it if it is the last one. */
export interface TextBlock {
  readonly above: number;
  readonly below: number;
  readonly lines: readonly LineHeight[];
  /** The minimum number of lines on each side of a page end. */
  readonly leastLines: number;
}

/** The layout of a row that is only text. Heights are in twips, excluding the border above the row. */
export interface TextRow {
  readonly cells: readonly (readonly TextBlock[])[];
  /** The height of the row when it is not split. */
  readonly height: number;
  readonly canSplit: boolean;
  /** Whether its height was measured, or no line break is too close to call. */
  readonly isCertain: boolean;
}

export interface TextContext {
  readonly fontOf: SizedFontOf;
  /** Whether the space below one paragraph and the space above the next add up. */
  readonly addsSpaces: boolean;
}

/** A row with the row above it and the width and sides of its table. */
export interface PlacedRow {
  readonly row: Row;
  readonly above: Row | undefined;
  readonly tableWidth: number;
}

/** The maximum number of combinations to try if lines of a row are too close to call. */
const mostWays = 64;
/** LibreOffice reports distances in hundredths of a millimetre, rounded at both ends. */
const measuredWithin = 2;

/**
 * Breaks the text of a row into lines; for a measured row into those that give the measured height, if there are any.
 * Throws UnknownFeature.
 */
export function layOutTextRow(place: PlacedRow, context: TextContext, measuredHeight?: number): TextRow {
  const found: Lines[] = [];
  const computed = layOut(place, context, (paragraph, width) => {
    const lines = breakLines(paragraph, width, context.fontOf);
    found.push(lines);
    return lines.heights;
  });
  // The height of an exact row does not depend on its lines.
  const isCertain = place.row.isExact || found.every(({ others }) => others.length === 0);
  if (isCertain || measuredHeight === undefined) return toTextRow(computed, isCertain);
  for (const way of waysOf(found)) {
    const lines = way.values();
    const tried = layOut(place, context, () => lines.next().value ?? []);
    const row = toTextRow(tried, true);
    if (Math.abs(row.height - measuredHeight) <= measuredWithin) return row;
  }
  return toTextRow(computed, isCertain);
}

type Heights = readonly LineHeight[];

/** The lines of all paragraphs in a row: first as computed, then with more or fewer lines. */
function waysOf(paragraphs: readonly Lines[]): readonly Heights[][] {
  let ways: Heights[][] = [[]];
  for (const { heights, others } of paragraphs)
    ways = [heights, ...others].flatMap((lines) => ways.map((before) => [...before, lines])).slice(0, mostWays);
  return ways;
}

type LinesOf = (paragraph: ParagraphHeights['paragraph'], width: number) => Heights;

function layOut({ row, above, tableWidth }: PlacedRow, context: TextContext, linesOf: LinesOf): RowLayout<TextStack> {
  return layOutRow(row, above, tableWidth, ({ blocks }, width) =>
    stackText(blocks, context, (paragraph) => linesOf(paragraph, width)),
  );
}

function toTextRow({ row, cells, height, borderAbove }: RowLayout<TextStack>, isCertain: boolean): TextRow {
  return {
    cells: cells.map(({ cell, stack, height: whole }) =>
      stack.blocks.map(({ above, below, lines, leastLines }, index) => ({
        above: index === 0 ? cell.marginTop + above : above,
        below: index === stack.blocks.length - 1 ? whole - cell.marginTop - stack.height : below,
        lines,
        leastLines,
      })),
    ),
    // An explicit height includes the border.
    height: Math.max(0, height - borderAbove),
    // Word and LibreOffice do not split rows with an exact height.
    canSplit: row.canSplit && !row.isExact,
    isCertain,
  };
}

/** Stacked paragraphs. */
interface TextStack extends StackHeights {
  readonly blocks: readonly TextBlock[];
}

/** Stacks paragraphs with the given lines. Throws UnknownFeature for other blocks. */
export function stackText(
  blocks: readonly Block[],
  context: TextContext,
  linesOf: (paragraph: ParagraphHeights['paragraph']) => Heights,
): TextStack {
  const stacked: TextBlock[] = [];
  let height = 0;
  let last: ParagraphHeights | undefined;
  for (const paragraph of blocks) {
    if (paragraph.kind !== 'paragraph') throw new UnknownFeature('a table in a table');
    const { format } = paragraph;
    const above = last === undefined ? format.before : spaceBetween(last, paragraph, context);
    const lines = linesOf(paragraph);
    const leastLines = format.keepsLines ? Number.MAX_SAFE_INTEGER : format.hasWidowControl ? 2 : 1;
    stacked.push({ above, below: 0, lines, leastLines });
    height += above + heightOf(lines);
    last = { paragraph, lines };
  }
  return { blocks: stacked, height, last };
}

/** The total height of consecutive blocks. */
export function heightOfBlocks(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { above, below, lines }) => sum + above + heightOf(lines) + below, 0);
}
