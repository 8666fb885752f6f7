import { type Block, type Border, type Cell, type Row, type Table, tableParts } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { LineContext } from './fill-lines.ts';
import { type Item, moveItem, type RuleItem, type ShadingItem } from './items.ts';
import { type Stack, type StackBlocks, spaceAtEnd } from './stack.ts';

/** A row, laid out. Lengths are twips. */
export interface RowLayout {
  readonly row: Row;
  /** The width of the widest border above the row. */
  readonly borderAbove: number;
  /** With the border above it. */
  readonly height: number;
  readonly cells: readonly CellLayout[];
  /** The first paragraph of its first cell decides whether the row stays on the page of the next one. */
  readonly keepsWithNext: boolean;
  /** Whether that paragraph asks for it itself, and not its style. */
  readonly keepsItself: boolean;
}

interface CellLayout {
  readonly cell: Cell;
  /** From the left edge of the table, to the middle of its borders. */
  readonly left: number;
  readonly width: number;
  readonly stack: Stack;
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
  const { amount, unit } = table.width;
  const own = unit === 'twips' ? amount : Math.floor((width * amount) / 100);
  const rows: RowLayout[] = [];
  for (const [index, row] of table.rows.entries())
    rows.push(layOutRow(row, table.rows[index - 1], own, context, stackBlocks));
  return { left: leftOf(table, width - own), rows };
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

function layOutRow(
  row: Row,
  above: Row | undefined,
  tableWidth: number,
  context: LineContext,
  stackBlocks: StackBlocks,
): RowLayout {
  const edgeAt = (part: number): number => Math.floor((part * tableWidth) / tableParts);
  const borderAbove = widestOf([
    ...row.cells.map(({ borders }) => borders.top),
    ...(above?.cells ?? []).map(({ borders }) => borders.bottom),
  ]);
  const cells = row.cells.map((cell) => {
    const left = edgeAt(cell.start);
    const width = edgeAt(cell.end) - left;
    const slack = Math.max(context.slack, cell.widthSlack * dotsPerTwip);
    const inner = width - cell.marginLeft - cell.marginRight;
    for (const block of cell.blocks) if (block.kind === 'table') requireFit(block, inner);
    const isCollapsed = endsCollapsed(cell.blocks);
    const stack = stackBlocks(isCollapsed ? cell.blocks.slice(0, -1) : cell.blocks, inner, { ...context, slack });
    const behind = isCollapsed ? collapsedHeight : spaceAtEnd(stack.last);
    return {
      cell,
      left,
      width,
      stack,
      height: cell.marginTop + stack.height + behind + cell.marginBottom,
    };
  });
  const content = borderAbove + Math.max(...cells.map(({ height }) => height));
  if (row.isExact && content > row.height) throw new UnknownFeature('text that is higher than its row');
  const [first] = row.cells[0]?.blocks ?? [];
  const [keepsWithNext, keepsItself] =
    first?.kind === 'paragraph' ? [first.format.keepsWithNext, first.keepsItself] : [false, false];
  // An exact height includes the border above the row, a least height does not.
  const least = row.isExact || row.height === 0 ? row.height : row.height + borderAbove;
  return { row, borderAbove, height: Math.max(least, content), cells, keepsWithNext, keepsItself };
}

function widestOf(borders: readonly (Border | undefined)[]): number {
  return borders.reduce((widest, border) => Math.max(widest, border?.width ?? 0), 0);
}

/** The border below rows if they end the table or a page. */
export function borderBelow(rows: readonly RowLayout[]): number {
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
