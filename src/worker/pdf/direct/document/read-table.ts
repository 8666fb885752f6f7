import { UnknownFeature } from '../unknown-feature.ts';
import type { ParagraphContext } from './read-paragraph.ts';
import {
  type Borders,
  type CellFormat,
  type Margins,
  mergeCell,
  readCellFormat,
  readMargins,
  readTableFormat,
  type Side,
  type TableFormat,
} from './table-format.ts';
import type { Block, Border, Cell, Row, Table } from './tree.ts';
import { childOf, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

/** Reads the blocks of a cell. */
export type ReadBlock = (element: XmlElement, context: ParagraphContext) => readonly Block[];

interface GridCell {
  readonly element: XmlElement;
  readonly properties: XmlElement | undefined;
  readonly column: number;
  readonly span: number;
  readonly format: CellFormat;
  /** Whether it asks for exactly the width of its columns. */
  readonly hasColumnWidth: boolean;
}

interface GridRow {
  readonly element: XmlElement;
  readonly cells: readonly GridCell[];
}

const mostRows = 100_000;
const harmlessInTable: ReadonlySet<string> = new Set(['w:tblPr', 'w:tblGrid', 'w:bookmarkStart', 'w:bookmarkEnd']);
const knownCellProperties: ReadonlySet<string> = new Set(
  'w:tcW w:gridSpan w:tcBorders w:shd w:tcMar w:vAlign w:hideMark w:cnfStyle w:noWrap'.split(' '),
);

/** Reads a `w:tbl` (ECMA-376 part 1, 17.4.37) with fixed columns. Throws UnknownFeature. */
export function readTable(element: XmlElement, context: ParagraphContext, readBlock: ReadBlock): Table {
  const properties = childOf(element, 'w:tblPr');
  const width = properties && childOf(properties, 'w:tblW');
  if (properties === undefined || width === undefined) throw new UnknownFeature('a table without a width');
  const format = readTableFormat(properties, context.styles);
  const grid = (childOf(element, 'w:tblGrid')?.children ?? []).map((column) => wholeNumber(column, 'w:w', 1, 31_680));
  const rows = readRows(element, format, grid);
  const edges = columnEdges(grid);
  // Tables for Word 2010 and before have not been measured.
  const hasExactWidth =
    context.compatibilityMode >= 15 &&
    isAsWideAsColumns(properties, grid) &&
    rows.every(({ cells }) => cells.every(({ hasColumnWidth }) => hasColumnWidth));
  const inside = { ...context, tableParagraph: format.paragraph };
  const read = (cell: XmlElement): readonly Block[] =>
    cell.children.flatMap((child) => (child.name === 'w:tcPr' ? [] : readBlock(child, inside)));
  return {
    kind: 'table',
    left: format.indent + leftEdge(format, context.compatibilityMode),
    rows: rows.map((row, index) => toRow(row, { rows, index, format, edges, hasExactWidth, read })),
  };
}

/** LibreOffice divides a table in so many parts (`UNO_TABLE_COLUMN_SUM`). */
const parts = 10_000;

/** The edges of columns in twips from the left one, which LibreOffice moves to whole parts of the width of the table. */
function columnEdges(grid: readonly number[]): readonly number[] {
  const width = sumOf(grid);
  const edges = [0];
  let edge = 0;
  for (const column of grid) {
    edge += column;
    edges.push(Math.floor((Math.round((edge * parts) / width) * width) / parts));
  }
  return edges;
}

/** Whether the table asks for no other width than that of its columns. */
function isAsWideAsColumns(properties: XmlElement, grid: readonly number[]): boolean {
  const width = childOf(properties, 'w:tblW');
  return width?.attributes.get('w:type') === 'auto' || width?.attributes.get('w:w') === String(sumOf(grid));
}

/**
 * From the indent to the left edge. Until Word 2010 the text of cells begins at the margin; since Word 2013 the outer side of the
 * border does (LibreOffice, `DomainMapperTableHandler::getTableStyle`).
 */
function leftEdge({ margins, borders }: TableFormat, compatibilityMode: number): number {
  return compatibilityMode < 15 ? -margins.left : Math.floor((borders.left?.width ?? 0) / 2);
}

function readRows(element: XmlElement, format: TableFormat, grid: readonly number[]): readonly GridRow[] {
  if (format.alignment !== 'left') throw new UnknownFeature('a table that is centred or right');
  const rows: GridRow[] = [];
  for (const row of element.children) {
    if (row.name !== 'w:tr') {
      if (!harmlessInTable.has(row.name)) throw new UnknownFeature(row.name);
      continue;
    }
    rows.push({ element: row, cells: readCells(row, format, rows.length === 0, grid) });
    if (rows.length > mostRows) throw new UnknownFeature('very many rows');
  }
  if (rows.length === 0) throw new UnknownFeature('a table without rows');
  return rows;
}

function readCells(row: XmlElement, format: TableFormat, isFirst: boolean, grid: readonly number[]): GridCell[] {
  const cells: GridCell[] = [];
  let column = 0;
  for (const element of row.children) {
    if (element.name === 'w:trPr') continue;
    if (element.name !== 'w:tc') throw new UnknownFeature(`${element.name} in a row`);
    const properties = childOf(element, 'w:tcPr');
    for (const child of properties?.children ?? [])
      if (!knownCellProperties.has(child.name)) throw new UnknownFeature(child.name);
    const spanned = properties && childOf(properties, 'w:gridSpan');
    const span = spanned === undefined ? 1 : wholeNumber(spanned, 'w:val', 1, 63);
    const base = isFirst && format.firstRow !== undefined ? mergeCell(format.cell, format.firstRow) : format.cell;
    const hasColumnWidth = requireWidth(properties, grid.slice(column, column + span));
    const own = mergeCell(base, readCellFormat(properties));
    cells.push({ element, properties, column, span, format: own, hasColumnWidth });
    column += span;
  }
  if (column !== grid.length) throw new UnknownFeature('a row that does not fill its table');
  return cells;
}

/** Whether a cell asks for exactly the width of its columns. Throws UnknownFeature if it asks for another one. */
function requireWidth(properties: XmlElement | undefined, columns: readonly number[]): boolean {
  const preferred = properties && childOf(properties, 'w:tcW');
  if (preferred === undefined || (preferred.attributes.get('w:type') ?? 'dxa') === 'auto') return false;
  if (preferred.attributes.get('w:type') !== 'dxa') throw new UnknownFeature('w:tcW of another kind');
  const excess = wholeNumber(preferred, 'w:w', 0, 31_680) - sumOf(columns);
  if (Math.abs(excess) > 1) throw new UnknownFeature('widths of cells that differ from those of their columns');
  return excess === 0;
}

interface RowContext {
  readonly rows: readonly GridRow[];
  readonly index: number;
  readonly format: TableFormat;
  readonly edges: readonly number[];
  readonly hasExactWidth: boolean;
  readonly read: (cell: XmlElement) => readonly Block[];
}

function toRow(row: GridRow, context: RowContext): Row {
  const properties = childOf(row.element, 'w:trPr');
  let [height, isExact, canSplit, isHeading] = [0, false, true, false];
  for (const child of properties?.children ?? []) {
    if (child.name === 'w:trHeight') {
      height = wholeNumber(child, 'w:val', 0, 31_680);
      isExact = child.attributes.get('w:hRule') === 'exact' && height > 0;
    } else if (child.name === 'w:cantSplit') canSplit = !isOn(child);
    else if (child.name === 'w:tblHeader') isHeading = isOn(child);
    else if (child.name !== 'w:cnfStyle') throw new UnknownFeature(child.name);
  }
  return { cells: row.cells.map((cell) => toCell(cell, row, context)), height, isExact, canSplit, isHeading };
}

function toCell(cell: GridCell, row: GridRow, { rows, index, format, edges, hasExactWidth, read }: RowContext): Cell {
  const { properties, column, span } = cell;
  const margins: Margins = { ...format.margins, ...readMarginsOf(properties) };
  const left = edges[column] ?? 0;
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
  requireMargin(borders.left, margins.left);
  requireMargin(borders.right, margins.right);
  return {
    left,
    width: (edges[column + span] ?? left) - left,
    hasExactWidth,
    marginTop: margins.top,
    marginBottom: margins.bottom,
    marginLeft: margins.left,
    marginRight: margins.right,
    shading: cell.format.shading,
    borders,
    alignment: readAlignment(properties),
    blocks: read(cell.element),
  };
}

/** Throws UnknownFeature for a border that leaves its margin, and so takes space from the text. */
function requireMargin(border: Border | undefined, margin: number): void {
  if (border !== undefined && border.width > margin)
    throw new UnknownFeature('a border wider than the margin of its cell');
}

function readMarginsOf(properties: XmlElement | undefined): Partial<Margins> {
  const margins = properties && childOf(properties, 'w:tcMar');
  return margins === undefined ? {} : readMargins(margins);
}

function readAlignment(properties: XmlElement | undefined): Cell['alignment'] {
  const value = (properties && childOf(properties, 'w:vAlign'))?.attributes.get('w:val') ?? 'top';
  if (value === 'top' || value === 'center' || value === 'bottom') return value;
  throw new UnknownFeature(`w:vAlign ${value.slice(0, 20)}`);
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
    (side === 'right' && cell.column + cell.span === columns);
  const inside: Side = side === 'top' || side === 'bottom' ? 'insideH' : 'insideV';
  const borders: Borders = format.borders;
  return borders[isEdge ? side : inside] ?? undefined;
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
