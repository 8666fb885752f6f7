import type { ParsedPiece } from '../../core/parsed-piece.ts';
import type { RenderState } from '../../core/render/render-state.ts';
import { type CellsByList, readCells, type TableCell } from '../../core/table-cells.ts';
import type { TagParser } from '../../language/scope.ts';
import { columnTags, type ReportColumn, readColumnTag, withoutColumnTags } from './column-tags.ts';
import { type Column, cellNode, columnValue, type Grid, maxColumns } from './grid.ts';
import { readGrid, withCellGrid, withGrid } from './place-grid.ts';

/** Rewrites the content of one table whose cells contain column tags. */
export function arrangeColumns(
  table: readonly ParsedPiece[],
  parser: TagParser,
  report: ReportColumn,
): readonly ParsedPiece[] {
  const cells = readCells(table);
  const width = cells === undefined ? 0 : widthOf(cells);
  if (cells === undefined || width > maxColumns) {
    for (const tag of columnTags(table)) report(cells === undefined ? 'split_table' : 'too_many', tag);
    return withoutColumnTags(table);
  }
  const columns = readColumns(cells, parser, report);
  const grid = readGrid(table, columns, width);
  return withGrid(rewrite(table, cells, grid), grid);
}

function widthOf(cells: CellsByList): number {
  let width = 0;
  for (const ofList of cells.values()) for (const { start, span } of ofList) width = Math.max(width, start + span);
  return width;
}

function readColumns(cells: CellsByList, parser: TagParser, report: ReportColumn): Column[] {
  const columns: Column[] = [];
  const all: TableCell[] = [];
  for (const [list, ofList] of cells) {
    for (const cell of ofList) {
      all.push(cell);
      for (const piece of columnTags(list.slice(cell.from, cell.to))) {
        const { tag, isInverted } = readColumnTag(piece.value);
        const column: Column = { tag, isInverted, expression: parser(tag), start: cell.start, span: cell.span };
        if (columns.some((other) => overlap(other, column))) report('twice', piece);
        else {
          columns.push(column);
          if (crosses(column, cells)) report('crossed', piece);
        }
      }
    }
  }
  return columns;
}

interface Extent {
  readonly start: number;
  readonly span: number;
}

function overlap(a: Extent, b: Extent): boolean {
  return a.start < b.start + b.span && b.start < a.start + a.span;
}

function isWithin(inner: Extent, outer: Extent): boolean {
  return inner.start >= outer.start && inner.start + inner.span <= outer.start + outer.span;
}

/** Whether a cell of another row covers part of the column and part of its neighbours. */
function crosses(column: Column, cells: CellsByList): boolean {
  for (const ofList of cells.values()) {
    if (ofList.some((cell) => overlap(cell, column) && !isWithin(cell, column) && !isWithin(column, cell))) return true;
  }
  return false;
}

/** Puts a section around the cells of each column; widths and spans are computed at render time. */
function rewrite(pieces: readonly ParsedPiece[], cells: CellsByList, grid: Grid): ParsedPiece[] {
  const written: ParsedPiece[] = [];
  let section: { readonly column: Column; readonly pieces: ParsedPiece[] } | undefined;
  let read = 0;
  const copy = (end: number) => {
    for (const piece of pieces.slice(read, end)) {
      const { subparsed } = piece;
      const isRows = subparsed !== undefined && cells.has(subparsed);
      written.push(isRows ? { ...piece, subparsed: rewrite(subparsed, cells, grid) } : piece);
    }
  };
  for (const cell of cells.get(pieces) ?? []) {
    const column = grid.columns.find((candidate) => isWithin(cell, candidate));
    const { start, span } = cell;
    copy(cell.from);
    const content = withoutColumnTags(pieces.slice(cell.from, cell.to + 1));
    const own = column === undefined ? content : content.map(inColumn);
    const filled = withCellGrid(own, cellNode(grid, { start, span, isInColumn: column !== undefined }));
    const into =
      column === undefined ? written : section?.column === column && start > column.start ? section.pieces : undefined;
    if (into !== undefined) for (const piece of filled) into.push(piece);
    else if (column !== undefined) {
      section = { column, pieces: filled };
      written.push(sectionOf(column, grid, filled));
    }
    read = cell.to + 1;
  }
  copy(pieces.length);
  return written;
}

function inColumn(piece: ParsedPiece): ParsedPiece {
  const node = piece.node?.kind === 'feature' ? piece.node.inRepeatedColumn?.() : undefined;
  return node === undefined ? piece : { ...piece, node };
}

function sectionOf(column: Column, grid: Grid, subparsed: ParsedPiece[]): ParsedPiece {
  const { tag, isInverted } = column;
  const source = { anchor: grid.node, read: (state: RenderState) => columnValue(column, grid, state) };
  return { type: 'placeholder', module: 'loop', value: tag, inverted: isInverted, subparsed, source };
}
