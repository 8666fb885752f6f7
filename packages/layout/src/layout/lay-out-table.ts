import {
  type Block,
  type Border,
  type Cell,
  type Paragraph,
  type Row,
  type Table,
  tableParts,
} from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { cellElements } from './cell-elements.ts';
import { type Item, moveItem, type PagePictureItem, type ShadingItem } from './items.ts';
import type { LineContext } from './line-context.ts';
import type { CellLayout, RowLayout } from './row-layout.ts';
import { type Stack, type StackBlocks, type StackHeights, spaceAtEnd } from './stack.ts';
import { tableRules } from './table-rules.ts';

export interface TableLayout {
  /** The distance from the left text margin to the left edge of its cells. */
  readonly left: number;
  readonly rows: readonly RowLayout[];
  /** Whether any cell has a horizontal border. */
  readonly hasBordersAcross: boolean;
}

/** In twips. */
const collapsedHeight = 1;

/** Lays out the rows of a table in a column of this width, using `stackBlocks` for its cells. Throws UnknownFeature. */
export function layOutTable(table: Table, width: number, context: LineContext, stackBlocks: StackBlocks): TableLayout {
  const own = tableWidth(table, width);
  const elementOf = cellElements(table, context.structure);
  const stackCell = (index: number): StackCell<Stack> => {
    const structureOf = elementOf(index);
    return (cell, inner) => {
      const { blocks, widthSlack } = cell;
      for (const block of blocks) {
        if (block.kind === 'table') requireFit(block, cell, inner);
        else requireNoDecimalStop(block);
      }
      const slack = Math.max(context.slack, widthSlack * dotsPerTwip);
      return stackBlocks(blocks, inner, { ...context, slack, structure: structureOf(cell) });
    };
  };
  const rows: RowLayout[] = [];
  for (const [index, row] of table.rows.entries()) {
    const layout = withMergedCells(layOutRow(row, table.rows[index - 1], own, stackCell(index)), rows);
    requireWholeText(layout);
    rows.push(layout);
  }
  const hasBordersAcross = table.rows.some(({ cells }) => cells.some(({ borders }) => borders.top ?? borders.bottom));
  return { left: leftOf(table, width - own), rows, hasBordersAcross };
}

/** The item as it appears on pages that repeat it. */
function withoutElements(item: Item): Item {
  if (item.kind === 'line') return { ...item, elements: undefined };
  return item.kind === 'page-picture' ? { ...item, element: undefined } : item;
}

/** The width of a table in a column of this width. */
export function tableWidth({ width: { amount, unit } }: Table, column: number): number {
  return unit === 'twips' ? amount : Math.floor((column * amount) / 100);
}

/** Throws UnknownFeature for a row whose exact height clips its text. */
function requireWholeText({ row, borderAbove, height, cells }: RowLayout): void {
  if (row.isExact && borderAbove + contentHeight(cells) > height)
    throw new UnknownFeature('text that is higher than its row');
}

/** Throws UnknownFeature for a row whose height is not determined by a single cell. */
function contentHeight(cells: readonly CellLayout<StackHeights>[]): number {
  const whole = cells.filter(({ cell }) => cell.rowSpan === 1);
  if (whole.length === 0) throw new UnknownFeature('a row of merged cells alone');
  return Math.max(...whole.map(({ height }) => height));
}

function leftOf({ alignment, left }: Table, free: number): number {
  if (alignment === 'left') return left;
  return alignment === 'right' ? free : Math.floor(free / 2);
}

/**
 * An empty paragraph after a table at the end of a cell has almost no height (LibreOffice, `SwTextNode::IsCollapse`).
 */
function endsCollapsed(blocks: readonly Block[]): boolean {
  const [before, last] = blocks.slice(-2);
  if (before?.kind !== 'table' || last?.kind !== 'paragraph') return false;
  return last.inlines.length === 0 && last.anchored.length === 0;
}

/**
 * Throws UnknownFeature for a table that does not fit in its cell, because LibreOffice narrows and clips it. A table
 * with a percentage width begins at its indent and may extend into the margin of the cell.
 */
function requireFit(table: Table, { marginRight, borders }: StackedCell, space: number): void {
  const { alignment, left, width, rows } = table;
  const isShare = width.unit === 'percent';
  const end = left + tableWidth(table, space);
  const borderRight = widestOf(rows.map(({ cells }) => cells.at(-1)?.borders.right));
  const free = isShare ? space + marginRight - ((borders.right?.width ?? 0) + borderRight) / 2 : space;
  const isWithin = alignment === 'left' ? left >= 0 && end <= free : tableWidth(table, space) <= space;
  if (!isWithin || (isShare && width.amount > 100))
    throw new UnknownFeature('a table in a table that does not fit its cell');
}

/**
 * Throws UnknownFeature for a paragraph whose text may align at its first stop without a tab (Writer,
 * `SwAutoTabDecimalPortion`).
 */
function requireNoDecimalStop({ format }: Paragraph): void {
  if (format.tabs.some(({ alignment }) => alignment === 'decimal'))
    throw new UnknownFeature('a decimal tab in a table');
}

/** The properties that determine the layout of a cell's blocks. */
type StackedCell = Pick<Cell, 'blocks' | 'start' | 'end' | 'rowSpan' | 'widthSlack' | 'marginRight' | 'borders'>;

/** Lays out the blocks of a cell for a text width in twips. */
export type StackCell<S extends StackHeights> = (cell: StackedCell, width: number) => S;

/** Lays out a row below another one, in a table of this width. Throws UnknownFeature, like `stackCell`. */
export function layOutRow<S extends StackHeights>(
  row: Row,
  above: Row | undefined,
  width: number,
  stackCell: StackCell<S>,
): RowLayout<S> {
  const edgeAt = (part: number): number => Math.floor((part * width) / tableParts);
  const borderAbove = borderBetween(above, row);
  const cells = row.cells.map((cell) => {
    const left = edgeAt(cell.start);
    const own = edgeAt(cell.end) - left;
    const inner = own - cell.marginLeft - cell.marginRight;
    const isCollapsed = endsCollapsed(cell.blocks);
    const blocks = cell.rowSpan === 0 ? [] : isCollapsed ? cell.blocks.slice(0, -1) : cell.blocks;
    const stack = stackCell(blocks === cell.blocks ? cell : { ...cell, blocks }, inner);
    const behind = isCollapsed ? collapsedHeight : spaceAtEnd(stack.last);
    return {
      cell,
      left,
      width: own,
      stack,
      height: cell.marginTop + stack.height + behind + cell.marginBottom,
    };
  });
  const content = borderAbove + contentHeight(cells);
  const [first] = row.cells[0]?.blocks ?? [];
  const [keepsWithNext, keepsItself] =
    first?.kind === 'paragraph' ? [first.format.keepsWithNext, first.keepsItself] : [false, false];
  // An exact height includes the border above the row; a minimum height excludes the row's own border.
  const least = row.isExact || row.height === 0 ? row.height : row.height + widestAbove(row);
  const height = row.isExact ? row.height : Math.max(least, content);
  return { row, borderAbove, height, cells, keepsWithNext, keepsItself, isRest: false };
}

/** The width of the border between two rows: the maximum over their cells (ECMA-376 part 1, 17.4.66). */
export function borderBetween(above: Row | undefined, row: Row): number {
  return Math.max(widestAbove(row), above === undefined ? 0 : widestBelow(above));
}

/**
 * Grows a row to the height that the merged cells ending in it need. Throws UnknownFeature if its height is exact and
 * too small.
 */
function withMergedCells(layout: RowLayout, above: readonly RowLayout[]): RowLayout {
  const height = Math.max(layout.height, ...layout.cells.map((one) => restOfMerged(one, above)));
  if (height === layout.height) return layout;
  if (layout.row.isExact) throw new UnknownFeature('text that is higher than its row');
  return { ...layout, height };
}

/**
 * The height that a merged cell needs of its last row, as the rows above it reserve no height for it (Writer,
 * `lcl_CalcMinRowHeight`). 0 for any other cell.
 */
function restOfMerged({ cell, left }: CellLayout, above: readonly RowLayout[]): number {
  if (cell.rowSpan > 0) return 0;
  const first = above.findLastIndex(({ cells }) => cells.some((one) => one.left === left && one.cell.rowSpan > 0));
  const row = above[first];
  const merged = row?.cells.find((one) => one.left === left);
  if (row === undefined || merged === undefined || first + merged.cell.rowSpan - 1 > above.length) return 0;
  return row.borderAbove + merged.height - heightsOf(above.slice(first));
}

function heightsOf(rows: readonly RowLayout[]): number {
  return rows.reduce((sum, { height }) => sum + height, 0);
}

function widestAbove({ cells }: Row): number {
  return widestOf(cells.map(({ borders }) => borders.top));
}

function widestBelow({ cells }: Row): number {
  return widestOf(cells.map(({ borders }) => borders.bottom));
}

function widestOf(borders: readonly (Border | undefined)[]): number {
  return borders.reduce((widest, border) => Math.max(widest, border?.width ?? 0), 0);
}

/** The border below rows at the end of the table or of a page. */
export function borderBelow(rows: readonly Pick<RowLayout, 'row'>[]): number {
  const last = rows.at(-1);
  return last === undefined ? 0 : widestBelow(last.row);
}

/** The height of rows, including the borders above and below them. */
export function rowsHeight(rows: readonly RowLayout[]): number {
  return heightsOf(rows) + borderBelow(rows);
}

export function tableHeight({ rows }: TableLayout): number {
  return rowsHeight(rows);
}

export function tableItems({ rows }: TableLayout): Item[] {
  return rowsItems(rows);
}

/**
 * The shading (which extends behind the border above), text and borders of consecutive rows, relative to the upper left
 * corner of the first one. The first `repeated` rows are repetitions outside the structure.
 */
export function rowsItems(rows: readonly RowLayout[], repeated = 0): Item[] {
  const [shadings, texts]: [Item[], Item[]] = [[], []];
  let top = 0;
  for (const [index, layout] of rows.entries()) {
    for (const one of layout.cells) {
      const { cell, left, stack, height } = one;
      if (cell.rowSpan === 0) continue;
      const outer = cell.rowSpan === 1 ? layout.height : heightsOf(rows.slice(index, index + cell.rowSpan));
      const inner = top + layout.borderAbove;
      shadings.push(...shadingOf(one, top, outer, cell.shading));
      const free = Math.max(0, outer - layout.borderAbove - height);
      const shift = cell.alignment === 'top' ? 0 : cell.alignment === 'center' ? Math.floor(free / 2) : free;
      const [x, y] = [left + cell.marginLeft, inner + cell.marginTop + shift];
      const items = index < repeated ? stack.items.map(withoutElements) : stack.items;
      for (const item of items)
        texts.push(moveItem(item.kind === 'page-picture' ? inCell(item, layout, cell) : item, x, y));
    }
    top += layout.height;
  }
  return [...tableShading(rows), ...shadings, ...texts, ...tableRules(rows)];
}

/**
 * LibreOffice moves the text of a cell with an anchored picture to its top (`SwCellFrame::Format`). Throws
 * UnknownFeature.
 */
function inCell(item: PagePictureItem, { row }: RowLayout, { alignment }: Cell): PagePictureItem {
  if (alignment !== 'top') throw new UnknownFeature('an anchored picture in a cell that is not aligned to its top');
  if (row.isHeading) throw new UnknownFeature('an anchored picture in a heading row');
  return { ...item, isInCell: true };
}

/** Unlike the shading of cells, it extends under the border below the rows. */
function tableShading(rows: readonly RowLayout[]): ShadingItem[] {
  const { row, cells = [] } = rows[0] ?? {};
  const [first, last] = [cells[0], cells.at(-1)];
  if (first === undefined || last === undefined) return [];
  const area = { left: first.left, width: last.left + last.width - first.left };
  return shadingOf(area, 0, rowsHeight(rows), row?.shading);
}

function shadingOf(
  { left, width }: Pick<CellLayout, 'left' | 'width'>,
  top: number,
  height: number,
  color: string | undefined,
): ShadingItem[] {
  return color === undefined ? [] : [{ kind: 'shading', left, top, width, height, color, of: 'cell' }];
}
