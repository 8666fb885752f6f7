import { UnknownFeature } from '../unknown-feature.ts';
import { trimAutoSpacing } from './auto-spacing.ts';
import { isSameBorder } from './border-lines.ts';
import { borderOf, cornerBorders, halfOf, marginsWithin, type Position } from './cell-borders.ts';
import { type GridCell, type GridRow, readRows } from './grid-rows.ts';
import type { ParagraphContext } from './paragraph-context.ts';
import { requireEvenTable } from './require-even-table.ts';
import type { AreaFormat } from './table-areas.ts';
import { type Margins, readTableAlignment, readTableFormat, type TableFormat } from './table-format.ts';
import {
  type Block,
  type Border,
  type Cell,
  type CellBorders,
  type Row,
  type Table,
  tableParts,
  type Width,
} from './tree.ts';
import { childOf, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

export interface TableSurroundings {
  readonly isInCell: boolean;
  /** Reads the blocks of a cell. */
  readBlock(element: XmlElement, context: ParagraphContext): readonly Block[];
}

/** In twips: 22 inches, Word's maximum. */
const longest = 31_680;

/**
 * Reads a `w:tbl` (ECMA-376 part 1, 17.4.37) whose rows fill its grid, because LibreOffice then ignores the widths of
 * cells (`DomainMapperTableManager::endOfRowAction`). Throws UnknownFeature.
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
  const rows = readRows(element, format, grid, context.data);
  const edges = columnEdges(grid);
  const hasStyle = childOf(properties, 'w:tblStyle') !== undefined;
  const yieldsToTable = hasStyle && !context.keepsStyleInTables;
  const insides = new Map<AreaFormat, ParagraphContext>();
  const read = ({ element: cell, area }: GridCell): readonly Block[] => {
    const inside = insides.get(area) ?? {
      ...context,
      tableParagraph: area.paragraph,
      tableRun: area.run,
      yieldsToTable,
    };
    insides.set(area, inside);
    const blocks: Block[] = [];
    for (const child of cell.children) if (child.name !== 'w:tcPr') blocks.push(...readBlock(child, inside));
    if (blocks.some(hasBordersBeside)) throw new UnknownFeature('borders beside a paragraph of a cell');
    return trimAutoSpacing(blocks, context.autoSpacing);
  };
  const isOfWord2013 = context.compatibilityMode >= 15;
  const beginsAtBorder = isInCell || isOfWord2013;
  const corner = cornerBorders(rows, format, beginsAtBorder);
  const margins = marginsWithin(corner, format.margins);
  const made = rows.map((row, index) => toRow(row, { rows, index, format, margins, edges, isOfWord2013, read }));
  requireEvenTable(rows, made, format);
  const left = format.indent + (beginsAtBorder ? halfOf(corner.left) : -margins.left);
  const isAligned = childOf(properties, 'w:jc') !== undefined;
  const alignment = (isAligned ? undefined : rowAlignment(rows)) ?? format.alignment;
  const { percent } = format;
  const isAutomatic = isOfWord2013 && preferred.attributes.get('w:type') === 'auto';
  const ofColumns = isAutomatic ? automaticWidth(sumOf(grid)) : sumOf(grid);
  const width: Width =
    percent === undefined ? { amount: ofColumns, unit: 'twips' } : { amount: percent, unit: 'percent' };
  return { kind: 'table', alignment, left, width, rows: made };
}

/**
 * The alignment that rows set (17.4.28). LibreOffice aligns the whole table by its last row that sets one, unless the
 * table itself has an alignment (`DomainMapperTableManager::sprm`).
 */
function rowAlignment(rows: readonly GridRow[]): TableFormat['alignment'] | undefined {
  const aligned = rows.map(({ element }) => childOf(element, 'w:trPr')).map((one) => one && childOf(one, 'w:jc'));
  const last = aligned.findLast((one) => one !== undefined);
  return last && readTableAlignment(last);
}

function isEmpty(block: Block): boolean {
  return block.kind === 'paragraph' && block.inlines.length === 0 && block.anchored.length === 0;
}

/** LibreOffice clips these borders at the edges of the cell. */
function hasBordersBeside(block: Block): boolean {
  return block.kind === 'paragraph' && (block.format.borderLeft ?? block.format.borderRight) !== undefined;
}

/** Tables for Word 2010 and earlier may be two twips narrower, and nearly equal columns may differ by a twip. */
const inexactSlack = 2;

/**
 * The distance within which an edge may keep the position it would have in a row of equal cells, in parts of the table
 * width.
 */
const evenParts = 50;

/**
 * Whether LibreOffice may place edges of these cells differently. It starts from the edges of a new table with equal
 * cells, in whole parts of another size (`SwTable::SetTabCols`). Measured for equal columns, which are exact unless
 * there are three.
 */
function areNearlyEven(cells: readonly GridCell[], edges: readonly number[]): boolean {
  const even = (index: number): number => (index * tableParts) / cells.length;
  const distances = cells.slice(1).map(({ column }, index) => Math.abs((edges[column] ?? 0) - even(index + 1)));
  const areEven = cells.length !== 3 && distances.every((distance) => distance <= 0.5);
  return !areEven && distances.some((distance) => distance < evenParts);
}

/**
 * The width of a table that specifies none: LibreOffice rounds the sum of its columns up to a hundredth of a
 * millimetre.
 */
function automaticWidth(twips: number): number {
  return Math.round((Math.ceil((twips * 127) / 72) * 72) / 127);
}

/**
 * The maximum difference, in twips, between the width of a table and the sum of its columns, which Word rounds
 * separately.
 */
const mostRounding = 3;

/** The edges of columns in whole parts of the table width, as LibreOffice stores them. */
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

/**
 * Throws UnknownFeature for a table whose width differs from the sum of its columns, because LibreOffice's stretching
 * has not been measured.
 */
function requireWidthOfColumns(preferred: XmlElement, grid: readonly number[]): void {
  const isInTwips = (preferred.attributes.get('w:type') ?? 'dxa') === 'dxa';
  if (isInTwips && Math.abs(wholeNumber(preferred, 'w:w', 0, longest) - sumOf(grid)) > mostRounding)
    throw new UnknownFeature('a table that is wider or narrower than its columns');
}

/** Row properties that take effect through the cells or the table. LibreOffice takes widths from the columns. */
const elsewhere: ReadonlySet<string> = new Set(
  'w:cnfStyle w:jc w:gridBefore w:gridAfter w:wBefore w:wAfter'.split(' '),
);

interface RowContext {
  readonly rows: readonly GridRow[];
  readonly index: number;
  readonly format: TableFormat;
  readonly margins: Margins;
  readonly edges: readonly number[];
  readonly isOfWord2013: boolean;
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
    else if (!elsewhere.has(child.name)) throw new UnknownFeature(child.name);
  }
  const widthSlack = context.isOfWord2013 && !areNearlyEven(row.cells, context.edges) ? 0 : inexactSlack;
  const made = row.cells.map((cell) => toCell(cell, context, widthSlack));
  // As in Word, the largest top margin of a row applies to all of its cells.
  const marginTop = Math.max(...made.map((cell) => cell.marginTop));
  const cells = made.map((cell) => (cell.marginTop === marginTop ? cell : { ...cell, marginTop }));
  return { cells, shading: context.format.whole.shading, height, isExact, canSplit, isHeading };
}

function toCell(cell: GridCell, context: RowContext, widthSlack: number): Cell {
  const { rows, index, edges, read } = context;
  const { properties, column } = cell;
  const margins = properties.margins === undefined ? context.margins : { ...context.margins, ...properties.margins };
  const position = { rows, index };
  const bordersOf = (one: GridCell, at: Position): CellBorders => ({
    top: borderOf(one, 'top', at),
    bottom: borderOf(one, 'bottom', at),
    left: borderOf(one, 'left', at),
    right: borderOf(one, 'right', at),
  });
  const placed = bordersOf(cell, position);
  const borders = cell.rowSpan > 1 ? mergeBorders(placed, facingOf(cell, position, bordersOf)) : placed;
  const blocks = read(cell);
  if (cell.rowSpan === 0 && !blocks.every(isEmpty)) throw new UnknownFeature('text in a covered cell');
  return {
    start: edges[column] ?? 0,
    end: edges[column + properties.span] ?? tableParts,
    widthSlack,
    marginTop: margins.top,
    marginBottom: margins.bottom,
    marginLeft: margins.left,
    marginRight: margins.right,
    shading: cell.format.shading,
    borders,
    alignment: properties.alignment,
    rowSpan: cell.rowSpan,
    blocks,
  };
}

type BordersOf = (cell: GridCell, at: Position) => CellBorders;

interface Facing {
  /** The borders of the last cell that a merged cell covers. */
  readonly last: CellBorders;
  /** The borders of the adjacent cells on the facing side. */
  readonly left: readonly (Border | undefined)[];
  readonly right: readonly (Border | undefined)[];
}

function facingOf(
  { column, properties: { span }, rowSpan }: GridCell,
  position: Position,
  bordersOf: BordersOf,
): Facing {
  const rows = position.rows.slice(position.index, position.index + rowSpan);
  const found = rows.map(({ cells }, offset) => {
    const of = (matches: (one: GridCell) => boolean): CellBorders | undefined => {
      const one = cells.find(matches);
      return one && bordersOf(one, { ...position, index: position.index + offset });
    };
    return {
      own: of((one) => one.column === column),
      left: of((one) => one.column + one.properties.span === column)?.right,
      right: of((one) => one.column === column + span)?.left,
    };
  });
  return {
    last: found.at(-1)?.own ?? noBorders,
    left: found.map(({ left }) => left),
    right: found.map(({ right }) => right),
  };
}

const noBorders: CellBorders = { top: undefined, bottom: undefined, left: undefined, right: undefined };

/**
 * A merged cell takes its lower border from the last cell that it covers. Throws UnknownFeature if a border at its side
 * ends early (Writer, `SwLineEntry::LimitVerticalEndPos`) or meets a different one.
 */
function mergeBorders(first: CellBorders, facing: Facing): CellBorders {
  for (const side of ['left', 'right'] as const) {
    const own = first[side];
    if (own === undefined) continue;
    const isOther = (one: Border | undefined): boolean => one !== undefined && !isSameBorder(one, own);
    if (facing.last[side] === undefined || facing[side].some(isOther))
      throw new UnknownFeature('a merged cell with several borders on one side');
  }
  if (first.bottom !== undefined && facing.last.bottom === undefined)
    throw new UnknownFeature('a merged cell that ends without its border');
  return { ...first, bottom: facing.last.bottom };
}

function sumOf(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}
