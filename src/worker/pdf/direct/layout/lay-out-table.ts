import { type Block, type Border, type Cell, type Row, type Table, tableParts } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { LineContext } from './fill-lines.ts';
import { type Item, moveItem, type RuleItem, type ShadingItem } from './items.ts';
import { type Stack, type StackBlocks, type StackHeights, spaceAtEnd } from './stack.ts';

/** A row, laid out. Lengths are twips. */
export interface RowLayout<S extends StackHeights = Stack> {
  readonly row: Row;
  /** The width of the widest border above the row. */
  readonly borderAbove: number;
  /** With the border above it. */
  readonly height: number;
  readonly cells: readonly CellLayout<S>[];
  /** The first paragraph of its first cell decides whether the row stays on the page of the next one. */
  readonly keepsWithNext: boolean;
  /** Whether that paragraph asks for it itself, and not its style. */
  readonly keepsItself: boolean;
}

interface CellLayout<S extends StackHeights = Stack> {
  readonly cell: Cell;
  /** From the left edge of the table, to the middle of its borders. */
  readonly left: number;
  readonly width: number;
  readonly stack: S;
  /** The height of its content with its margins. */
  readonly height: number;
}

export interface TableLayout {
  /** From the left margin of the text to the left edge of its cells. */
  readonly left: number;
  readonly rows: readonly RowLayout[];
}

/** In twips. */
const collapsedHeight = 1;

/** Lays out the rows of a table in a column of this width; `stackBlocks` lays out its cells. Throws UnknownFeature. */
export function layOutTable(table: Table, width: number, context: LineContext, stackBlocks: StackBlocks): TableLayout {
  const own = tableWidth(table, width);
  const stackCell: StackCell<Stack> = ({ blocks, widthSlack }, inner) => {
    for (const block of blocks) if (block.kind === 'table') requireFit(block, inner);
    return stackBlocks(blocks, inner, { ...context, slack: Math.max(context.slack, widthSlack * dotsPerTwip) });
  };
  const rows: RowLayout[] = [];
  for (const [index, row] of table.rows.entries()) rows.push(layOutRow(row, table.rows[index - 1], own, stackCell));
  for (const row of rows) requireWholeText(row);
  return { left: leftOf(table, width - own), rows };
}

/** The width of a table in a column of this width. */
export function tableWidth({ width: { amount, unit } }: Table, column: number): number {
  return unit === 'twips' ? amount : Math.floor((column * amount) / 100);
}

/** Throws UnknownFeature for a row whose exact height cuts its text. */
function requireWholeText({ row, borderAbove, height, cells }: RowLayout): void {
  if (row.isExact && borderAbove + contentHeight(cells) > height)
    throw new UnknownFeature('text that is higher than its row');
}

function contentHeight(cells: readonly CellLayout<StackHeights>[]): number {
  return Math.max(...cells.map(({ height }) => height));
}

function leftOf({ alignment, left }: Table, free: number): number {
  if (alignment === 'left') return left;
  return alignment === 'right' ? free : Math.floor(free / 2);
}

/** An empty paragraph behind a table at the end of a cell has next to no height (LibreOffice, `SwTextNode::IsCollapse`). */
function endsCollapsed(blocks: readonly Block[]): boolean {
  const [before, last] = blocks.slice(-2);
  if (before?.kind !== 'table' || last?.kind !== 'paragraph') return false;
  return last.inlines.length === 0 && last.anchored.length === 0;
}

/** Throws UnknownFeature for a table that does not fit its cell: LibreOffice moves and narrows such tables. */
function requireFit({ alignment, left, width: { amount, unit } }: Table, space: number): void {
  const fits = unit === 'percent' ? left === 0 && amount <= 100 : left >= 0 && left + amount <= space;
  if (alignment !== 'left' || !fits) throw new UnknownFeature('a table in a table that does not fit its cell');
}

/** Lays out the blocks of a cell for text of this width in twips. */
export type StackCell<S extends StackHeights> = (cell: Pick<Cell, 'blocks' | 'widthSlack'>, width: number) => S;

/** Lays out a row of a table of this width below another one. Throws UnknownFeature as `stackCell`. */
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
    const stack = stackCell(isCollapsed ? { ...cell, blocks: cell.blocks.slice(0, -1) } : cell, inner);
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
  // An exact height includes the border above the row, a least height does not.
  const least = row.isExact || row.height === 0 ? row.height : row.height + borderAbove;
  const height = row.isExact ? row.height : Math.max(least, content);
  return { row, borderAbove, height, cells, keepsWithNext, keepsItself };
}

/** The width of the border between two rows: the widest of their cells (ECMA-376 part 1, 17.4.66). */
export function borderBetween(above: Row | undefined, row: Row): number {
  return widestOf([
    ...row.cells.map(({ borders }) => borders.top),
    ...(above?.cells ?? []).map(({ borders }) => borders.bottom),
  ]);
}

function widestOf(borders: readonly (Border | undefined)[]): number {
  return borders.reduce((widest, border) => Math.max(widest, border?.width ?? 0), 0);
}

/** The border below rows if they end the table or a page. */
export function borderBelow(rows: readonly Pick<RowLayout, 'row'>[]): number {
  return widestOf((rows.at(-1)?.row.cells ?? []).map(({ borders }) => borders.bottom));
}

/** The height of rows with the borders above and below them. */
export function rowsHeight(rows: readonly RowLayout[]): number {
  return rows.reduce((sum, { height }) => sum + height, 0) + borderBelow(rows);
}

export function tableHeight({ rows }: TableLayout): number {
  return rowsHeight(rows);
}

export function tableItems({ rows }: TableLayout): Item[] {
  return rowsItems(rows);
}

/** The shading (behind the border above, too), texts and borders of rows below each other, from the upper left corner of the first one. */
export function rowsItems(rows: readonly RowLayout[]): Item[] {
  const [shadings, texts]: [Item[], Item[]] = [[], []];
  const rules: RuleItem[] = [];
  let top = 0;
  for (const [index, layout] of rows.entries()) {
    const inside = layout.height - layout.borderAbove;
    for (const one of layout.cells) {
      const { cell, left, stack, height } = one;
      const inner = top + layout.borderAbove;
      shadings.push(...shadingOf(one, top, layout.height, cell.shading));
      const free = Math.max(0, inside - height);
      const shift = cell.alignment === 'top' ? 0 : cell.alignment === 'center' ? Math.floor(free / 2) : free;
      const [x, y] = [left + cell.marginLeft, inner + cell.marginTop + shift];
      texts.push(...stack.items.map((item) => moveItem(item, x, y)));
      rules.push(...sideRules(one, inner, top + layout.height));
    }
    rules.push(...crossRules(rows[index - 1], layout, top));
    top += layout.height;
  }
  rules.push(...crossRules(rows.at(-1), undefined, top));
  return [...tableShading(rows), ...shadings, ...texts, ...rules.toSorted((a, b) => a.width - b.width)];
}

/** Reaches under the border below the rows, where that of cells does not. */
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
  return color === undefined ? [] : [{ kind: 'shading', left, top, width, height, color, isOfTable: true }];
}

function sideRules({ cell: { borders }, left, width }: CellLayout, top: number, bottom: number): RuleItem[] {
  const at = (x: number, border: Border | undefined): RuleItem[] =>
    border === undefined
      ? []
      : [{ kind: 'rule', left: x, right: x, top, bottom, width: border.width, color: border.color, isOfTable: true }];
  return [...at(left, borders.left), ...at(left + width, borders.right)];
}

/** The borders between two rows, with their corners. */
function crossRules(above: RowLayout | undefined, below: RowLayout | undefined, top: number): RuleItem[] {
  const widest = below?.borderAbove ?? widestOf((above?.row.cells ?? []).map(({ borders }) => borders.bottom));
  const rule = ({ cell: { borders }, ...at }: CellLayout, border: Border | undefined): RuleItem[] => {
    if (border === undefined) return [];
    const left = at.left - (borders.left?.width ?? 0) / 2;
    const right = at.left + at.width + (borders.right?.width ?? 0) / 2;
    const middle = top + widest / 2;
    const { width, color } = border;
    return [{ kind: 'rule', left, right, top: middle, bottom: middle, width, color, isOfTable: true }];
  };
  return [
    ...(above?.cells ?? []).flatMap((one) => rule(one, one.cell.borders.bottom)),
    ...(below?.cells ?? []).flatMap((one) => rule(one, one.cell.borders.top)),
  ];
}
