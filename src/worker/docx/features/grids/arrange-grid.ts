import { type CollapsedStretch, expandStretches } from '../../core/compile/collapse-static.ts';
import { endOf, isTag, type ParsedPiece } from '../../core/parsed-piece.ts';
import { shows } from '../../core/render/trailing-break.ts';
import { readCells, type TableCell } from '../../core/table-cells.ts';
import { cellSizes, isAlike, type Size } from './cell-sizes.ts';
import { type GridFault, gridsIn, isGrid, type ReportGrid } from './grid-sections.ts';
import { cellNode, firstCellWriter, type Grid, rowsWriter } from './write-grid.ts';

/** A cell of a table with a grid. */
interface GridCell extends TableCell {
  readonly properties: string;
  readonly content: readonly ParsedPiece[];
  /** The section that fills the cell. */
  readonly section: ParsedPiece | undefined;
}

/**
 * Ends the page of a sheet. Word needs a paragraph between two tables. This one is as low as possible, so that it fits
 * below a sheet that fills the page.
 */
const pageEnd =
  '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr>' +
  '</w:pPr><w:r><w:rPr><w:sz w:val="2"/></w:rPr><w:br w:type="page"/></w:r></w:p>';

/**
 * Arranges one table, from its start tag to its end tag. A section in one cell fills that cell and the empty cells of
 * the same size that follow it, in its row and in rows without content. The same section in several cells fills exactly
 * those cells. A grid of several rows is a sheet, and each sheet begins on a new page. A grid of one row repeats the
 * row.
 */
export function arrangeGrid(
  table: readonly ParsedPiece[],
  stretches: readonly CollapsedStretch[],
  report: ReportGrid,
): readonly ParsedPiece[] {
  const found = [...gridsIn(table)];
  if (found.length === 0) return table;
  const content = table.slice(1, -1);
  const byList = readCells(content);
  const cells = [...(byList?.values() ?? [])].flat().map((cell) => readCell(cell, content));
  const filled = cells.filter(({ section }) => section !== undefined);
  // A section that repeats rows of the table adds another list of cells.
  const fault = byList?.size === 1 ? faultOf(content, filled, found, stretches) : 'split';
  const [first] = filled;
  const section = first?.section;
  if (fault !== undefined || first === undefined || section === undefined) {
    report(fault ?? 'nested', found);
    return table;
  }
  const items = filled.length > 1 ? filled : [first, ...emptyBehind(first, cells, cellSizes(content), stretches)];
  const isSheet = items.at(-1)?.row !== first.row;
  const grid: Grid = { separator: isSheet ? pageEnd : '' };
  const rows = withItems(content, items, { section, grid, stretches });
  const repeated = (pieces: readonly ParsedPiece[]): ParsedPiece => ({
    ...section,
    subparsed: pieces,
    writer: rowsWriter(grid),
  });
  const [start, end] = [table.slice(0, 1), table.slice(-1)];
  if (isSheet) return [repeated([...start, ...rows, ...end])];
  const written = rows.findIndex(isWritten);
  const from = rows.findLastIndex((piece, at) => at < written && isTag(piece, 'w:tr', 'start'));
  const to = (endOf(rows, from, 'w:tr') ?? rows.length - 1) + 1;
  return [...start, ...rows.slice(0, from), repeated(rows.slice(from, to)), ...rows.slice(to), ...end];
}

function emptyBehind(
  first: GridCell,
  cells: readonly GridCell[],
  sizeOf: (cell: TableCell) => Size,
  stretches: readonly CollapsedStretch[],
): readonly GridCell[] {
  const blank = new Set(cells.filter(({ content }) => isBlank(content, stretches)));
  const rowsWithContent = new Set(cells.filter((cell) => !blank.has(cell)).map(({ row }) => row));
  return [...blank].filter((cell) => {
    const isBehind = cell.from > first.from && (cell.row === first.row || !rowsWithContent.has(cell.row));
    return isBehind && !isContinued(cell) && isAlike(sizeOf(cell), sizeOf(first));
  });
}

const isWritten = ({ writer }: ParsedPiece) => writer !== undefined;

function readCell(cell: TableCell, table: readonly ParsedPiece[]): GridCell {
  const [head, ...rest] = table.slice(cell.from + 1, cell.to);
  const properties = head?.type === 'content' ? (cellProperties.exec(head.value)?.[0] ?? '') : '';
  const after = head === undefined ? [] : [{ ...head, value: head.value.slice(properties.length) }];
  const content = properties === '' ? table.slice(cell.from + 1, cell.to) : [...after, ...rest];
  return { ...cell, properties, content, section: content.find(isGrid) };
}

const cellProperties =
  /^\s*<w:tcPr\b(?:[^>]*\/>|[\s\S]*?(?:<w:tcPrChange\b[\s\S]*?<\/w:tcPrChange\s*>\s*)?<\/w:tcPr\s*>)/;

function faultOf(
  table: readonly ParsedPiece[],
  filled: readonly GridCell[],
  found: readonly ParsedPiece[],
  stretches: readonly CollapsedStretch[],
): GridFault | undefined {
  const isDirect = filled.length === found.length && filled.every(({ content }) => !isInTable(content));
  if (!isDirect) return 'nested';
  if (hasTag(table, /^\s*\|/)) return 'columns';
  if (filled.some(({ content }) => hasTag(content, /^\s*@\s*(?:cell|row)\b/))) return 'formats';
  const texts = new Set(filled.map(({ content, section }) => `${section?.value} ${textOf(content, stretches)}`));
  return texts.size > 1 ? 'differs' : undefined;
}

/** Whether the grid is in a nested table of the cell. */
function isInTable(content: readonly ParsedPiece[]): boolean {
  let depth = 0;
  for (const piece of content) {
    if (isTag(piece, 'w:tbl', 'start')) depth++;
    else if (isTag(piece, 'w:tbl', 'end')) depth--;
    else if (isGrid(piece)) return depth > 0;
  }
  return false;
}

function hasTag(pieces: readonly ParsedPiece[], pattern: RegExp): boolean {
  return pieces.some(({ type, value, subparsed }) => {
    return (type === 'placeholder' && pattern.test(value)) || (subparsed !== undefined && hasTag(subparsed, pattern));
  });
}

function textOf(pieces: readonly ParsedPiece[], stretches: readonly CollapsedStretch[]): string {
  const texts = pieces.map((piece) => {
    const { type, value, subparsed = [] } = piece;
    // The position of the grid's tags does not matter, because the grid repeats the whole cell.
    if (type === 'placeholder') return (isGrid(piece) ? '' : `{${value}}`) + textOf(subparsed, stretches);
    return type === 'content' ? markupOf(value, stretches).replace(/<[^>]*>/g, '') : '';
  });
  return texts.join('').replace(/\s+/g, '');
}

function markupOf(value: string, stretches: readonly CollapsedStretch[]): string {
  return expandStretches(value, stretches)
    .map((piece) => (typeof piece === 'string' ? piece : piece.xml))
    .join('');
}

/** Whether the cell continues the merged cell above it. */
function isContinued({ properties }: GridCell): boolean {
  const [merge] = /<w:vMerge\b[^>]*>/.exec(properties) ?? [];
  return merge !== undefined && !/w:val=["']restart/.test(merge);
}

function isBlank(content: readonly ParsedPiece[], stretches: readonly CollapsedStretch[]): boolean {
  if (content.some(({ type }) => type === 'placeholder')) return false;
  return !shows(content.map(({ value }) => markupOf(value, stretches)).join(''));
}

interface Filling {
  readonly section: ParsedPiece;
  readonly grid: Grid;
  readonly stretches: readonly CollapsedStretch[];
}

/** The content of the table, with the content of the section in each of `items`. */
function withItems(table: readonly ParsedPiece[], items: readonly GridCell[], filling: Filling): ParsedPiece[] {
  const { section, grid, stretches } = filling;
  const written: ParsedPiece[] = [];
  let read = 0;
  for (const cell of items) {
    const { from, to, properties, content } = cell;
    for (const piece of table.slice(read, from + 1)) written.push(piece);
    written.push({ type: 'content', value: properties });
    const inner = content.flatMap((piece) => (isGrid(piece) ? (piece.subparsed ?? []) : [piece]));
    const isFilled = cell.section !== undefined;
    const empty = isFilled ? blankParagraph(inner) : content.map(({ value }) => markupOf(value, stretches)).join('');
    if (read === 0) written.push({ ...section, subparsed: inner, writer: firstCellWriter(grid, empty) });
    else written.push({ type: 'placeholder', value: '', node: cellNode(grid, empty) });
    read = to;
  }
  for (const piece of table.slice(read)) written.push(piece);
  return written;
}

/** An empty paragraph as high as the first one, without its number and border. */
function blankParagraph(content: readonly ParsedPiece[]): string {
  const markup = content.map(({ type, value }) => (type === 'placeholder' ? '' : value)).join('');
  const [properties = ''] = /<w:pPr>[\s\S]*?<\/w:pPr>/.exec(markup) ?? [];
  const [spacing = ''] = /<w:spacing\b[^>]*w:(?:line|before|after)[^>]*\/>/.exec(properties) ?? [];
  const [font = ''] = /<w:rPr>[\s\S]*?<\/w:rPr>/.exec(properties) ?? [];
  return spacing + font === '' ? '<w:p/>' : `<w:p><w:pPr>${spacing}${font}</w:pPr></w:p>`;
}
