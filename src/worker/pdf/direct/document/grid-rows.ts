import { UnknownFeature } from '../unknown-feature.ts';
import { type CellProperties, readCellProperties } from './cell-properties.ts';
import { contentOf } from './read-control.ts';
import { type AreaFormat, type CellFormat, type CellPlace, mergeCell } from './table-areas.ts';
import type { TableFormat } from './table-format.ts';
import { childOf, type XmlElement } from './xml-element.ts';

export interface GridCell {
  readonly element: XmlElement;
  readonly properties: CellProperties;
  readonly column: number;
  /** How many rows it takes: 1 for most cells, 0 for one that is covered by a cell above it. */
  readonly rowSpan: number;
  readonly format: CellFormat;
  /** What the style of the table sets for it. */
  readonly area: AreaFormat;
}

export interface GridRow {
  readonly element: XmlElement;
  readonly cells: readonly GridCell[];
}

const mostRows = 100_000;
const markers: ReadonlySet<string> = new Set(['w:bookmarkStart', 'w:bookmarkEnd']);
const harmlessInTable: ReadonlySet<string> = new Set(['w:tblPr', 'w:tblGrid', ...markers]);

/** Reads the rows of a table. Throws UnknownFeature for those that do not fill its columns. */
export function readRows(element: XmlElement, format: TableFormat, grid: readonly number[]): readonly GridRow[] {
  const rows: XmlElement[] = [];
  for (const row of element.children) {
    if (row.name === 'w:tr') rows.push(row);
    else if (!harmlessInTable.has(row.name)) throw new UnknownFeature(row.name);
  }
  if (rows.length > mostRows) throw new UnknownFeature('very many rows');
  if (rows.length === 0) throw new UnknownFeature('a table without rows');
  const read = rows.map((row, index) => ({
    element: row,
    cells: readCells(row, format, { row: index, rows: rows.length }, grid),
  }));
  return mergeRows(read);
}

function readCells(
  row: XmlElement,
  { formatAt }: TableFormat,
  { row: index, rows }: Pick<CellPlace, 'row' | 'rows'>,
  grid: readonly number[],
): GridCell[] {
  const cells: GridCell[] = [];
  const elements = row.children.filter(({ name }) => name !== 'w:trPr').flatMap(cellsOf);
  let column = 0;
  for (const [cell, element] of elements.entries()) {
    if (element.name !== 'w:tc') throw new UnknownFeature(`${element.name} in a row`);
    const properties = readCellProperties(childOf(element, 'w:tcPr'));
    const area = formatAt({ row: index, rows, cell, cells: elements.length });
    // LibreOffice puts them around the only row and the only cell of a row.
    const { borders } = area;
    const [isOnlyRow, isOnlyCell] = [rows === 1, elements.length === 1];
    if (
      (isOnlyRow && 'insideH' in borders && !('top' in borders && 'bottom' in borders)) ||
      (isOnlyCell && 'insideV' in borders && !('left' in borders && 'right' in borders))
    )
      throw new UnknownFeature('borders inside of one cell');
    cells.push({ element, properties, column, rowSpan: 1, format: mergeCell(area, properties.format), area });
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

/** Finds how many rows each cell takes (17.4.84). Throws UnknownFeature for one that continues no cell of the same columns. */
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
  return rows.map(({ element, cells }) => ({
    element,
    cells: cells.map((cell) => ({ ...cell, rowSpan: spanOf(cell) })),
  }));
}
