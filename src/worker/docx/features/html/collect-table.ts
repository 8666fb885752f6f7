import type { Block, HtmlTableCell, TableBlock, TableRow } from './blocks.ts';
import { HtmlProblem, htmlLimits } from './html-limits.ts';
import { attribute, type DomElement, isElement } from './parse-html.ts';
import type { Collection, Surroundings } from './surroundings.ts';
import { alignmentOf, backgroundOf, directionOf, formatInside } from './text-format.ts';

interface SourceRow {
  readonly element: DomElement;
  readonly isHeader: boolean;
  /** The surroundings inside the row, including its group. */
  readonly around: Surroundings;
}

/** A cell of an earlier row that still covers this grid column. */
interface Covering {
  readonly columns: number;
  readonly background: string | undefined;
  rowsLeft: number;
}

export interface CollectedTable {
  readonly captions: readonly Block[];
  readonly table: TableBlock | undefined;
}

/** Builds the grid of a table (WHATWG HTML, 4.9.12). Rows cover all columns and list merged cells again. */
export function collectTable(element: DomElement, around: Surroundings, collection: Collection): CollectedTable {
  const captions: Block[] = [];
  const sources: SourceRow[] = [];
  collectRows(element, around, collection, { captions, sources });
  const grid = new TableGrid(collection);
  for (const [i, source] of sources.entries()) grid.addRow(source, sources.length - i);
  const { columns } = grid;
  if (columns === 0) return { captions, table: undefined };
  const rows = grid.rows.map((row) => fill(row, columns));
  return { captions, table: { kind: 'table', columns, direction: around.direction, rows } };
}

function collectRows(
  element: DomElement,
  around: Surroundings,
  collection: Collection,
  found: { readonly captions: Block[]; readonly sources: SourceRow[] },
): void {
  for (const child of element.childNodes) {
    if (!isElement(child)) continue;
    const inside = within(child, around, collection);
    if (child.tagName === 'caption') found.captions.push(...collection.collect(child.childNodes, inside));
    else if (/^t(?:head|body|foot)$/.test(child.tagName)) collectRows(child, inside, collection, found);
    else if (child.tagName === 'tr') {
      const isHeader = element.tagName === 'thead';
      found.sources.push({ element: child, isHeader, around: inside });
    }
  }
}

function within(element: DomElement, around: Surroundings, { baseHalfPoints }: Collection): Surroundings {
  const { background: _, ...format } = formatInside(element, around.format, baseHalfPoints);
  const direction = directionOf(element) ?? around.direction;
  return { ...around, format, align: alignmentOf(element) ?? around.align, direction };
}

class TableGrid {
  readonly rows: TableRow[] = [];
  columns = 0;
  readonly #collection: Collection;
  /** Covering cells by their first grid column. */
  readonly #covering = new Map<number, Covering>();

  constructor(collection: Collection) {
    this.#collection = collection;
  }

  addRow({ element, isHeader, around }: SourceRow, rowsLeft: number): void {
    const rowBackground = backgroundOf(element);
    const cells: HtmlTableCell[] = [];
    let column = this.#continueCells(0, cells);
    for (const child of element.childNodes) {
      if (!isElement(child) || (child.tagName !== 'td' && child.tagName !== 'th')) continue;
      if (column >= htmlLimits.columns)
        throw new HtmlProblem(`holds a table of more than ${htmlLimits.columns} columns`);
      const columns = Math.min(span(child, 'colspan'), this.#freeFrom(column));
      const rows = span(child, 'rowspan');
      const background = backgroundOf(child) ?? rowBackground;
      const blocks = this.#collection.collect(child.childNodes, within(child, around, this.#collection));
      const isTall = rowsLeft > 1 && rows > 1;
      this.#addCell({ columns, merge: isTall ? 'start' : 'none', background, blocks }, cells);
      if (isTall) this.#covering.set(column, { columns, background, rowsLeft: rows - 1 });
      column = this.#continueCells(column + columns, cells);
    }
    for (let next = this.#nextCovered(column); next !== undefined; next = this.#nextCovered(column)) {
      this.#addCell({ columns: next - column, merge: 'none', background: rowBackground, blocks: [] }, cells);
      column = this.#continueCells(next, cells);
    }
    if (cells.length === 0) return;
    this.columns = Math.max(this.columns, column);
    this.rows.push({ isHeader, cells });
  }

  /** Continues the cells from above that cover this column; returns the next free column. */
  #continueCells(from: number, cells: HtmlTableCell[]): number {
    let column = from;
    for (let above = this.#covering.get(column); above !== undefined; above = this.#covering.get(column)) {
      const { columns, background } = above;
      if (--above.rowsLeft <= 0) this.#covering.delete(column);
      this.#addCell({ columns, merge: 'continue', background, blocks: [] }, cells);
      column += columns;
    }
    return column;
  }

  #addCell(cell: HtmlTableCell, cells: HtmlTableCell[]): void {
    if (++this.#collection.cells > htmlLimits.cells)
      throw new HtmlProblem(`holds more than ${htmlLimits.cells} table cells`);
    cells.push(cell);
  }

  #freeFrom(column: number): number {
    return (this.#nextCovered(column) ?? htmlLimits.columns) - column;
  }

  #nextCovered(column: number): number | undefined {
    const starts = [...this.#covering.keys()].filter((start) => start >= column);
    return starts.length === 0 ? undefined : Math.min(...starts);
  }
}

function span(element: DomElement, name: string): number {
  const value = Number(/^\s*(\d{1,5})/.exec(attribute(element, name) ?? '')?.[1] ?? 1);
  return value === 0 ? (name === 'rowspan' ? 65_534 : 1) : value;
}

/** Pads a row, since Word requires cells in every grid column. */
function fill(row: TableRow, columns: number): TableRow {
  const covered = row.cells.reduce((sum, cell) => sum + cell.columns, 0);
  if (covered === columns) return row;
  const empty: HtmlTableCell = { columns: columns - covered, merge: 'none', background: undefined, blocks: [] };
  return { ...row, cells: [...row.cells, empty] };
}
