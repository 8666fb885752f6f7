import { UnknownFeature } from '../unknown-feature.ts';
import { type CellProperties, readCellProperties } from './cell-properties.ts';
import { contentOf } from './read-control.ts';
import type { ParagraphContext } from './read-paragraph.ts';
import { requireEvenBorders } from './require-even-borders.ts';
import { type AreaFormat, type CellFormat, type CellPlace, mergeCell, type Side } from './table-areas.ts';
import { readTableAlignment, readTableFormat, type TableFormat } from './table-format.ts';
import { type Block, type Border, type Cell, type Row, type Table, tableParts, type Width } from './tree.ts';
import { childOf, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

export interface TableSurroundings {
  readonly isInCell: boolean;
  /** Reads the blocks of a cell. */
  readBlock(element: XmlElement, context: ParagraphContext): readonly Block[];
}

interface GridCell {
  readonly element: XmlElement;
  readonly properties: CellProperties;
  readonly column: number;
  readonly format: CellFormat;
  /** What the style of the table sets for it. */
  readonly area: AreaFormat;
}

interface GridRow {
  readonly element: XmlElement;
  readonly cells: readonly GridCell[];
}

const mostRows = 100_000;
/** In twips: 22 inches, the most that Word takes. */
const longest = 31_680;
const markers: ReadonlySet<string> = new Set(['w:bookmarkStart', 'w:bookmarkEnd']);
const harmlessInTable: ReadonlySet<string> = new Set(['w:tblPr', 'w:tblGrid', ...markers]);

/**
 * Reads a `w:tbl` (ECMA-376 part 1, 17.4.37) whose rows fill its grid: LibreOffice asks no cell for its width then
 * (`DomainMapperTableManager::endOfRowAction`). Throws UnknownFeature.
 */
export function readTable(
  element: XmlElement,
  context: ParagraphContext,
  { isInCell, readBlock }: TableSurroundings,
): Table {
  const properties = childOf(element, 'w:tblPr');
  const preferred = properties && childOf(properties, 'w:tblW');
  if (properties === undefined || preferred === undefined) throw new UnknownFeature('a table without a width');
  const format = readTableFormat(properties, context.styles, context);
  const grid = (childOf(element, 'w:tblGrid')?.children ?? []).map((column) => wholeNumber(column, 'w:w', 1, longest));
  requireWidthOfColumns(preferred, grid);
  const rows = readRows(element, format, grid);
  const edges = columnEdges(grid);
  const insides = new Map<AreaFormat, ParagraphContext>();
  const read = ({ element: cell, area }: GridCell): readonly Block[] => {
    const inside = insides.get(area) ?? { ...context, tableParagraph: area.paragraph, tableRun: area.run };
    insides.set(area, inside);
    const blocks: Block[] = [];
    for (const child of cell.children) if (child.name !== 'w:tcPr') blocks.push(...readBlock(child, inside));
    if (blocks.some(hasBordersBeside)) throw new UnknownFeature('borders beside a paragraph of a cell');
    return blocks;
  };
  const widthSlack = context.compatibilityMode >= 15 && !areThirds(grid) ? 0 : inexactSlack;
  const made = rows.map((row, index) => toRow(row, { rows, index, format, edges, widthSlack, read }));
  const corner = made[0]?.cells[0]?.borders.left;
  if (corner?.width !== (format.borders.left ?? undefined)?.width)
    throw new UnknownFeature('a first cell with another border than its table');
  requireEvenBorders(made);
  const left = format.indent + leftEdge(format, isInCell || context.compatibilityMode >= 15);
  const isAligned = childOf(properties, 'w:jc') !== undefined;
  const alignment = (isAligned ? undefined : rowAlignment(rows)) ?? format.alignment;
  const { percent } = format;
  const width: Width =
    percent === undefined ? { amount: sumOf(grid), unit: 'twips' } : { amount: percent, unit: 'percent' };
  return { kind: 'table', alignment, left, width, rows: made };
}

/**
 * What rows say about their alignment (17.4.28). LibreOffice aligns the whole table by the last of them, unless the table itself has an
 * alignment (`DomainMapperTableManager::sprm`).
 */
function rowAlignment(rows: readonly GridRow[]): TableFormat['alignment'] | undefined {
  const aligned = rows.map(({ element }) => childOf(element, 'w:trPr')).map((one) => one && childOf(one, 'w:jc'));
  const last = aligned.findLast((one) => one !== undefined);
  return last && readTableAlignment(last);
}

/** LibreOffice cuts such borders at the edges of the cell. */
function hasBordersBeside(block: Block): boolean {
  return block.kind === 'paragraph' && (block.format.borderLeft ?? block.format.borderRight) !== undefined;
}

/** Tables for Word 2010 and before may be two twips narrower, and the first of three equal columns is a twip wider. */
const inexactSlack = 2;

/** LibreOffice does not move the columns of a new table, which end at thirds. */
function areThirds(grid: readonly number[]): boolean {
  return grid.length === 3 && grid.every((width) => width === grid[0]);
}

/** By how many twips the width of a table and that of its columns may differ: Word rounds each for itself. */
const mostRounding = 3;
/** In twips. */
const mostOddWidth = 15;

/** The edges of columns in whole parts of the width of the table, as LibreOffice keeps them. */
function columnEdges(grid: readonly number[]): readonly number[] {
  const width = sumOf(grid);
  const edges = [0];
  let edge = 0;
  for (const column of grid) {
    edge += column;
    edges.push(Math.round((edge * tableParts) / width));
  }
  return edges;
}

/** Throws UnknownFeature for a table whose width is not that of its columns: how LibreOffice stretches them has not been measured. */
function requireWidthOfColumns(preferred: XmlElement, grid: readonly number[]): void {
  const isInTwips = (preferred.attributes.get('w:type') ?? 'dxa') === 'dxa';
  if (isInTwips && Math.abs(wholeNumber(preferred, 'w:w', 0, longest) - sumOf(grid)) > mostRounding)
    throw new UnknownFeature('a table that is wider or narrower than its columns');
}

/**
 * From the indent to the left edge. Until Word 2010 the text of cells begins at the margin; since Word 2013, and in a cell, the outer
 * side of the border does (LibreOffice, `DomainMapperTableHandler::getTableStyle`).
 */
function leftEdge({ margins, borders }: TableFormat, beginsAtBorder: boolean): number {
  return beginsAtBorder ? Math.floor((borders.left?.width ?? 0) / 2) : -margins.left;
}

function readRows(element: XmlElement, format: TableFormat, grid: readonly number[]): readonly GridRow[] {
  const rows: XmlElement[] = [];
  for (const row of element.children) {
    if (row.name === 'w:tr') rows.push(row);
    else if (!harmlessInTable.has(row.name)) throw new UnknownFeature(row.name);
  }
  if (rows.length > mostRows) throw new UnknownFeature('very many rows');
  if (rows.length === 0) throw new UnknownFeature('a table without rows');
  return rows.map((row, index) => ({
    element: row,
    cells: readCells(row, format, { row: index, rows: rows.length }, grid),
  }));
}

function readCells(
  row: XmlElement,
  format: TableFormat,
  { row: index, rows }: Pick<CellPlace, 'row' | 'rows'>,
  grid: readonly number[],
): GridCell[] {
  const cells: GridCell[] = [];
  const elements = row.children.filter(({ name }) => name !== 'w:trPr').flatMap(cellsOf);
  let column = 0;
  for (const [cell, element] of elements.entries()) {
    if (element.name !== 'w:tc') throw new UnknownFeature(`${element.name} in a row`);
    const properties = readCellProperties(childOf(element, 'w:tcPr'));
    const area = format.formatAt({ row: index, rows, cell, cells: elements.length });
    // LibreOffice puts them around the only row and the only cell of a row.
    const { borders } = area;
    const [isOnlyRow, isOnlyCell] = [rows === 1, elements.length === 1];
    if (
      (isOnlyRow && 'insideH' in borders && !('top' in borders && 'bottom' in borders)) ||
      (isOnlyCell && 'insideV' in borders && !('left' in borders && 'right' in borders))
    )
      throw new UnknownFeature('borders inside of one cell');
    cells.push({ element, properties, column, format: mergeCell(area, properties.format), area });
    column += properties.span;
  }
  if (column !== grid.length) throw new UnknownFeature('a row that does not fill its table');
  return cells;
}

/** A cell, those of a content control around them, or nothing for a marker. */
function cellsOf(element: XmlElement): readonly XmlElement[] {
  if (element.name === 'w:sdt') return contentOf(element).flatMap(cellsOf);
  return markers.has(element.name) ? [] : [element];
}

interface RowContext {
  readonly rows: readonly GridRow[];
  readonly index: number;
  readonly format: TableFormat;
  readonly edges: readonly number[];
  readonly widthSlack: number;
  readonly read: (cell: GridCell) => readonly Block[];
}

function toRow(row: GridRow, context: RowContext): Row {
  const properties = childOf(row.element, 'w:trPr');
  let [height, isExact, canSplit, isHeading] = [0, false, true, false];
  for (const child of properties?.children ?? []) {
    if (child.name === 'w:trHeight') {
      height = wholeNumber(child, 'w:val', 0, longest);
      isExact = child.attributes.get('w:hRule') === 'exact' && height > 0;
    } else if (child.name === 'w:cantSplit') canSplit = !isOn(child);
    else if (child.name === 'w:tblHeader') isHeading = isOn(child);
    else if (child.name !== 'w:cnfStyle' && child.name !== 'w:jc') throw new UnknownFeature(child.name);
  }
  const cells = row.cells.map((cell) => toCell(cell, row, context));
  return { cells, shading: context.format.whole.shading, height, isExact, canSplit, isHeading };
}

function toCell(cell: GridCell, row: GridRow, { rows, index, format, edges, widthSlack, read }: RowContext): Cell {
  const { properties, column } = cell;
  const margins = properties.margins === undefined ? format.margins : { ...format.margins, ...properties.margins };
  const position = { rows, index, columns: edges.length - 1 };
  const own = (side: Side): Border | undefined => borderOf(cell, side, format, position);
  const beside = (offset: number): GridCell | undefined => row.cells[row.cells.indexOf(cell) + offset];
  const facing = (other: GridCell | undefined, side: Side): Border | undefined =>
    other && borderOf(other, side, format, position);
  const borders = {
    top: own('top'),
    bottom: own('bottom'),
    left: stronger(own('left'), facing(beside(-1), 'right')),
    right: stronger(own('right'), facing(beside(1), 'left')),
  };
  // A border that a cell has from the one beside it takes from its text; how much is not known.
  const isLent = { left: borders.left !== own('left'), right: borders.right !== own('right') };
  const lent = (isLent.left ? (borders.left?.width ?? 0) : 0) + (isLent.right ? (borders.right?.width ?? 0) : 0);
  requireNoWideOddBorder(borders);
  requireMargin(borders.left, margins.left);
  requireMargin(borders.right, margins.right);
  return {
    start: edges[column] ?? 0,
    end: edges[column + properties.span] ?? tableParts,
    widthSlack: widthSlack + 3 * lent,
    marginTop: margins.top,
    marginBottom: margins.bottom,
    marginLeft: margins.left,
    marginRight: margins.right,
    shading: cell.format.shading,
    borders,
    alignment: properties.alignment,
    blocks: read(cell),
  };
}

/** Throws UnknownFeature for wide borders of an odd width: LibreOffice rounds their halves, which shows in corners. */
function requireNoWideOddBorder(borders: Cell['borders']): void {
  for (const border of [borders.top, borders.bottom, borders.left, borders.right])
    if (border !== undefined && border.width > mostOddWidth && border.width % 2 === 1)
      throw new UnknownFeature('a wide border of an odd number of twips');
}

/** Throws UnknownFeature for a border that leaves its margin, and so takes space from the text. */
function requireMargin(border: Border | undefined, margin: number): void {
  if (border !== undefined && border.width > margin)
    throw new UnknownFeature('a border wider than the margin of its cell');
}

interface Position {
  readonly rows: readonly GridRow[];
  readonly index: number;
  readonly columns: number;
}

/** The border of a cell: its own one, or that of the table on this side or inside of it. */
function borderOf(cell: GridCell, side: Side, format: TableFormat, position: Position): Border | undefined {
  const own = cell.format.borders[side];
  if (own !== undefined) return own ?? undefined;
  const { rows, index, columns } = position;
  const isEdge =
    (side === 'top' && index === 0) ||
    (side === 'bottom' && index === rows.length - 1) ||
    (side === 'left' && cell.column === 0) ||
    (side === 'right' && cell.column + cell.properties.span === columns);
  const inside: Side = side === 'top' || side === 'bottom' ? 'insideH' : 'insideV';
  if (isEdge) return format.borders[side] ?? undefined;
  const ofCell = cell.format.borders[inside];
  return (ofCell === undefined ? format.borders[inside] : ofCell) ?? undefined;
}

/** The wider of two borders of cells that touch (Writer, `SwTabFrame` with collapsing borders). */
function stronger(one: Border | undefined, other: Border | undefined): Border | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.width === other.width && one.color !== other.color) throw new UnknownFeature('borders in conflict');
  return one.width >= other.width ? one : other;
}

function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}
