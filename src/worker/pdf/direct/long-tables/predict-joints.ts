import { stylesPartOf } from '../../../docx/core/styles/template-styles.ts';
import { readThemeFonts } from '../../../docx/core/styles/theme-fonts.ts';
import { openPackage } from '../../../docx/package/open-package.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { FontOf } from './break-lines.ts';
import { chooseJoints, type FoundStart, type Joint, leadsToNext } from './choose-joints.ts';
import type { PageFrame } from './fill-pages.ts';
import { layOutRow, type RowLayout } from './lay-out-row.ts';
import { readPage } from './read-page.ts';
import { readStyles } from './read-styles.ts';
import { readTable } from './read-table.ts';
import { requireSpace } from './require-space.ts';

/** A long table of a document, of which LibreOffice has laid out the first rows. */
export interface LongTable {
  /** Offsets in bytes in the main part. */
  readonly start: number;
  readonly end: number;
  readonly headerRows: number;
  /** The element `w:sectPr` of its section, with the headers and footers that it takes over. */
  readonly section: string;
  readonly found: readonly FoundStart[];
  readonly partRows: number;
  /** Rows that LibreOffice lays out higher or lower than computed. */
  readonly measured: readonly RowHeight[];
}

/** Body rows count from 0. The height is that from a row's first line to that of the next row on the page, in twips. */
export interface RowHeight {
  readonly row: number;
  readonly height: number;
}

/** The joints of a long table, and the rows behind the first one whose computed heights are too close to call; none if there are many. */
export interface Prediction {
  readonly joints: readonly Joint[];
  readonly uncertain: readonly RowHeight[];
}

const mostRows = 200_000;
/** To lay out more rows once more takes longer than to measure the table. */
const mostUncertain = 600;
/** A table of 10,000 rows has about 5 MB, and takes about 1.5 s of processor time. */
const mostBytes = 64 * 1024 * 1024;

/** The rows of a table, which are laid out when they are asked for, and the pages that they fill. */
export interface TableLayout {
  readonly count: number;
  readonly frame: PageFrame;
  /** Lays out a body row; `measuredHeight` is what LibreOffice says of it. */
  readonly layOut: (bodyRow: number, measuredHeight?: number) => RowLayout;
}

/** Reads a table and what decides its layout. Throws UnknownFeature for what has no known height. */
export function layOutTable(
  docx: Uint8Array,
  table: Pick<LongTable, 'start' | 'end' | 'headerRows' | 'section'>,
  fontOf: FontOf,
): TableLayout {
  const source = openPackage(docx);
  const page = readPage(table.section);
  const theme = readThemeFonts(source);
  const themeFont = (name: string): string | undefined => theme.get(name);
  const stylesPart = stylesPartOf(source);
  const styles = readStyles(stylesPart === undefined ? '' : (source.readText(stylesPart) ?? ''), themeFont);
  if (table.end - table.start > mostBytes) throw new UnknownFeature('a very large table');
  const xml = source.read(source.mainPart)?.subarray(table.start, table.end).toString('utf8') ?? '';
  const context = { styles, themeFont };
  requireSpace(source, page, context, fontOf);
  const { properties, rows } = readTable(xml, context);
  if (rows.length > mostRows) throw new UnknownFeature('very many rows');
  const { border, marginTop: top, marginBottom: bottom } = properties;
  const heading = rows
    .slice(0, table.headerRows)
    .map((row) => layOutRow(row, { top, bottom, border }, fontOf).height + border);
  const body = rows.slice(table.headerRows);
  return {
    count: body.length,
    frame: { height: page.height, heading: heading.reduce((sum, height) => sum + height, 0), border },
    layOut(bodyRow, measuredHeight) {
      const row = body[bodyRow];
      if (row === undefined) throw new RangeError(`the table has no row ${bodyRow}`);
      return layOutRow(row, { top, bottom, border }, fontOf, measuredHeight);
    },
  };
}

/**
 * The joints of a long table behind those that LibreOffice has found, with what should be measured to be sure. Throws UnknownFeature, with the reason, where the heights
 * of its rows cannot be computed or do not lead to what LibreOffice has found.
 */
export function predictJoints(docx: Uint8Array, table: LongTable, fontOf: FontOf): Prediction {
  const { count, frame, layOut } = layOutTable(docx, table, fontOf);
  const [first, second] = table.found;
  if (first === undefined || second === undefined || second.row >= count)
    throw new UnknownFeature('a table of few pages');
  const request = { frame, found: table.found, partRows: table.partRows };
  const rows: RowLayout[] = Array.from({ length: first.row }, () => empty);
  while (rows.length <= second.row) rows.push(layOut(rows.length));
  // The first rows show whether the others are worth the time.
  if (!leadsToNext(rows, request)) throw new UnknownFeature('other page ends');
  const measured = new Map(table.measured.map(({ row, height }) => [row, height - frame.border]));
  while (rows.length < count) rows.push(layOut(rows.length, measured.get(rows.length)));
  const joints = chooseJoints(rows, request);
  if (joints === undefined) throw new UnknownFeature('no clear page ends');
  const uncertain = rows.flatMap(({ isCertain, height }, row) =>
    isCertain || row < second.row ? [] : [{ row, height: height + frame.border }],
  );
  return { joints, uncertain: uncertain.length > mostUncertain ? [] : uncertain };
}

/** Stands for a row before the first page start. */
const empty: RowLayout = { cells: [], height: 0, canSplit: false, isCertain: true };
