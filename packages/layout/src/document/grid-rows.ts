import { UnknownFeature } from '../unknown-feature.ts';
import { isSameBorder } from './border-lines.ts';
import { type CellProperties, readCellProperties } from './cell-properties.ts';
import type { CustomData } from './custom-data.ts';
import { contentOf } from './read-control.ts';
import { type AreaFormat, type Borders, type CellFormat, type CellPlace, mergeCell, type Side } from './table-areas.ts';
import { readBorders, type TableFormat } from './table-format.ts';
import { childOf, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

export interface GridCell {
  readonly element: XmlElement;
  readonly properties: CellProperties;
  readonly column: number;
  /** The number of rows it covers: 1 for most cells, 0 for a cell covered by one above it. */
  readonly rowSpan: number;
  readonly format: CellFormat;
  /** What the table style sets for it. */
  readonly area: AreaFormat;
}

export interface GridRow {
  readonly element: XmlElement;
  /** Includes empty cells for skipped columns. */
  readonly cells: readonly GridCell[];
  /** The columns between the skipped ones. */
  readonly start: number;
  readonly end: number;
  readonly hasGaps: boolean;
  /** The borders that its cells use as those of the table. */
  readonly borders: Borders;
}

const mostRows = 100_000;
const markers: ReadonlySet<string> = new Set(['w:bookmarkStart', 'w:bookmarkEnd']);
const harmlessInTable: ReadonlySet<string> = new Set(['w:tblPr', 'w:tblGrid', ...markers]);

/**
 * Reads the rows of a table. Content controls in it may show `data`. Throws UnknownFeature for rows that do not fill
 * the table's columns.
 */
export function readRows(
  element: XmlElement,
  format: TableFormat,
  grid: readonly number[],
  data: CustomData,
): readonly GridRow[] {
  const rows = element.children.flatMap((child) => rowsOf(child, data));
  if (rows.length > mostRows) throw new UnknownFeature('very many rows');
  if (rows.length === 0) throw new UnknownFeature('a table without rows');
  const read = rows.map((row, index) => readRow(row, format, { row: index, rows: rows.length }, grid, data));
  return mergeRows(read);
}

/** A row, the rows of a content control, or nothing for elements that take no space. */
function rowsOf(element: XmlElement, data: CustomData): readonly XmlElement[] {
  if (element.name === 'w:tr') return [element];
  if (element.name === 'w:sdt') return contentOf(element, data).flatMap((child) => rowsOf(child, data));
  if (!harmlessInTable.has(element.name)) throw new UnknownFeature(element.name);
  return [];
}

/** A cell may remove a border that its style sets. LibreOffice draws some of them nevertheless. */
function requireKept(ofStyle: Borders, own: Borders): void {
  for (const [side, border] of Object.entries(ofStyle))
    if (border !== null && own[side as Side] === null) throw new UnknownFeature('a cell without a border of its style');
}

function readRow(
  row: XmlElement,
  { formatAt, borders: ofTable }: TableFormat,
  { row: index, rows }: Pick<CellPlace, 'row' | 'rows'>,
  grid: readonly number[],
  data: CustomData,
): GridRow {
  const cells: GridCell[] = [];
  const properties = childOf(row, 'w:trPr');
  const exceptions = childOf(row, 'w:tblPrEx');
  const own = row.children
    .filter(({ name }) => name !== 'w:trPr' && name !== 'w:tblPrEx')
    .flatMap((child) => cellsOf(child, data));
  const before = gapsOf(properties, 'w:gridBefore', () => firstFormatOf(own));
  const after = gapsOf(properties, 'w:gridAfter', () => []);
  const elements = before.length + after.length === 0 ? own : [...before, ...own, ...after];
  const heading = properties && childOf(properties, 'w:tblHeader');
  const isHeading = heading !== undefined && isOn(heading);
  let column = 0;
  for (const [cell, element] of elements.entries()) {
    if (element.name !== 'w:tc') throw new UnknownFeature(`${element.name} in a row`);
    const cellProperties = readCellProperties(childOf(element, 'w:tcPr'));
    const area = formatAt({ row: index, rows, cell, cells: elements.length, isHeading });
    // LibreOffice draws them around an only row and around the only cell of a row.
    const { borders } = area;
    const [isOnlyRow, isOnlyCell] = [rows === 1, elements.length === 1];
    if (
      (isOnlyRow && 'insideH' in borders && !('top' in borders && 'bottom' in borders)) ||
      (isOnlyCell && 'insideV' in borders && !('left' in borders && 'right' in borders))
    )
      throw new UnknownFeature('borders inside one cell');
    requireKept(borders, cellProperties.format.borders);
    const format = mergeCell(area, cellProperties.format);
    cells.push({ element, properties: cellProperties, column, rowSpan: 1, format, area });
    column += cellProperties.span;
  }
  if (column !== grid.length) throw new UnknownFeature('a row that does not fill its table');
  const rowBorders = exceptions === undefined ? ofTable : withExceptions(ofTable, exceptions, cells);
  const [start, end] = [before.length, column - after.length];
  return { element: row, cells, start, end, hasGaps: elements !== own, borders: rowBorders };
}

/** A row's table-level exceptions (17.4.60) that LibreOffice ignores. */
const ignoredExceptions: ReadonlySet<string> = new Set(
  'w:tblW w:jc w:tblInd w:tblLayout w:tblCellMar w:tblLook'.split(' '),
);

/**
 * The borders of a row. Throws UnknownFeature unless they are the same on all sides, because LibreOffice does not
 * inherit the missing ones from the table.
 */
function withExceptions(ofTable: Borders, exceptions: XmlElement, cells: readonly GridCell[]): Borders {
  let borders = ofTable;
  for (const child of exceptions.children) {
    if (child.name === 'w:tblBorders') borders = readBorders(child);
    else if (!ignoredExceptions.has(child.name)) throw new UnknownFeature(`${child.name} of a row`);
  }
  if (borders === ofTable) return ofTable;
  const hasOthers = cells.some(({ format }) => Object.keys(format.borders).length > 0);
  const first = borders.top ?? undefined;
  const isEven = allSides.every((side) => isSameBorder(borders[side] ?? undefined, first));
  if (hasOthers || first === undefined || !isEven) throw new UnknownFeature('a row with other borders on some sides');
  return borders;
}

const allSides: readonly Side[] = ['top', 'bottom', 'left', 'right', 'insideH', 'insideV'];

/**
 * The columns that a row skips at its beginning or end (17.4.15). LibreOffice fills them with empty cells without
 * borders.
 */
function gapsOf(
  properties: XmlElement | undefined,
  name: string,
  formatOf: () => readonly XmlElement[],
): readonly XmlElement[] {
  const count = properties && childOf(properties, name);
  if (count === undefined) return [];
  const gap = elementOf('w:tc', [withoutBorders, elementOf('w:p', formatOf())]);
  return Array.from({ length: wholeNumber(count, 'w:val', 0, 63) }, () => gap);
}

/** The format of a row's first paragraph. LibreOffice also applies it to the empty cells before the row. */
function firstFormatOf([cell]: readonly XmlElement[]): readonly XmlElement[] {
  const paragraph = cell?.children.find(({ name }) => name !== 'w:tcPr');
  if (paragraph?.name !== 'w:p') throw new UnknownFeature('a row without columns before a cell without a paragraph');
  const properties = childOf(paragraph, 'w:pPr');
  return properties === undefined ? [] : [properties];
}

const elementOf = (name: string, children: readonly XmlElement[] = [], value = ''): XmlElement => ({
  name,
  children,
  attributes: new Map(value === '' ? [] : [['w:val', value]]),
  text: '',
});
const noBorders = ['w:top', 'w:left', 'w:bottom', 'w:right'].map((side) => elementOf(side, [], 'nil'));
const withoutBorders = elementOf('w:tcPr', [elementOf('w:tcBorders', noBorders)]);

/** A cell, the cells of a content control, or nothing for a marker. */
function cellsOf(element: XmlElement, data: CustomData): readonly XmlElement[] {
  if (element.name === 'w:sdt') return contentOf(element, data).flatMap((child) => cellsOf(child, data));
  return markers.has(element.name) ? [] : [element];
}

/**
 * Computes the number of rows that each cell covers (17.4.84). Throws UnknownFeature for a continuation without a cell
 * of the same columns above.
 */
function mergeRows(rows: readonly GridRow[]): readonly GridRow[] {
  if (rows.every(({ cells }) => cells.every(({ properties }) => properties.merge !== 'continue'))) return rows;
  const spans = new Map<GridCell, number>();
  let above = new Map<number, GridCell>();
  for (const { cells } of rows) {
    const owners = new Map<number, GridCell>();
    for (const cell of cells) {
      const owner = cell.properties.merge === 'continue' ? above.get(cell.column) : cell;
      const isBegun = owner === cell || owner?.properties.merge === 'restart';
      if (owner === undefined || owner.properties.span !== cell.properties.span || !isBegun)
        throw new UnknownFeature('a merged cell without a beginning');
      if (owner !== cell) spans.set(cell, 0).set(owner, (spans.get(owner) ?? 1) + 1);
      owners.set(cell.column, owner);
    }
    above = owners;
  }
  const spanOf = (cell: GridCell): number => spans.get(cell) ?? 1;
  return rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) => ({ ...cell, rowSpan: spanOf(cell) })),
  }));
}
