import type { FeatureNode } from '../../core/nodes.ts';
import { isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import { type Column, createGrid, type Grid } from './grid.ts';

const gridElement = /<w:tblGrid(?:\s[^>]*)?(?:\/>|>[\s\S]*?<\/w:tblGrid\s*>)/;
const defaultWidth = 1440;

/** Reads the grid of a table from `w:tblGrid`. Columns missing there get a default width. */
export function readGrid(table: readonly ParsedPiece[], columns: readonly Column[], width: number): Grid {
  const xml = table.map(({ type, value }) => (type === 'content' ? value : '')).find((text) => gridElement.test(text));
  const [element = ''] = gridElement.exec(xml ?? '') ?? [];
  const current = element.replace(/<w:tblGridChange[\s\S]*/, '');
  const widthsOfGrid = Array.from(current.matchAll(/<w:gridCol\b([^>]*)/g), ([, attributes = '']) =>
    Number(/w:w=["'](\d{1,5})/.exec(attributes)?.[1] ?? defaultWidth),
  );
  const widths = Array.from(
    { length: Math.max(width, widthsOfGrid.length) },
    (_, i) => widthsOfGrid[i] ?? defaultWidth,
  );
  return createGrid(columns, widths);
}

/** Replaces `w:tblGrid` by `grid`, or inserts it before the first row. */
export function withGrid(table: readonly ParsedPiece[], grid: Grid): ParsedPiece[] {
  const node: ParsedPiece = { type: 'placeholder', value: '', node: grid.node };
  const at = table.findIndex((piece) => piece.type === 'content' && gridElement.test(piece.value));
  const [before = '', after = ''] = table[at]?.value.split(gridElement, 2) ?? [];
  if (at !== -1) return [...table.slice(0, at), text(before), node, text(after), ...table.slice(at + 1)];
  const row = table.findIndex((piece) => piece.subparsed !== undefined || isTag(piece, 'w:tr', 'start'));
  return [...table.slice(0, row), node, ...table.slice(row)];
}

const properties =
  /^(\s*<w:tcPr(?:\s[^>]*)?)(?:\s*\/>|(>\s*(?:<w:cnfStyle\b[^>]*\/>\s*)?)(?:<w:tcW\b[^>]*\/>\s*)?(?:<w:gridSpan\b[^>]*\/>)?)/;

/** The pieces of a cell, from its start tag, with its width and span written by `node`. */
export function withCellGrid(cell: readonly ParsedPiece[], node: FeatureNode): ParsedPiece[] {
  const [start, second, ...rest] = cell;
  const placed: ParsedPiece = { type: 'placeholder', value: '', node };
  const head = start === undefined ? [] : [start];
  const found = second?.type === 'content' ? properties.exec(second.value) : null;
  if (second === undefined || found === null) {
    return [...head, text('<w:tcPr>'), placed, text('</w:tcPr>'), ...cell.slice(1)];
  }
  const [whole, opening = '', inside] = found;
  const remainder = second.value.slice(whole.length);
  const ends = inside === undefined ? `</w:tcPr>${remainder}` : remainder;
  return [...head, text(`${opening}${inside ?? '>'}`), placed, text(ends), ...rest];
}

function text(value: string): ParsedPiece {
  return { type: 'content', value };
}
