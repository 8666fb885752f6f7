import type { WordPackage } from '@docmill/word/word-package';
import { openReader } from '../document/open-reader.ts';
import type { Row } from '../document/tree.ts';
import type { SizedFontOf } from '../fonts/find-faces.ts';
import { borderBelow, borderBetween, tableWidth } from '../layout/lay-out-table.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { PageFrame } from './fill-pages.ts';
import { layOutTextRow, type TextRow } from './lay-out-text-row.ts';
import { readTextTable, type TablePlace } from './read-text-table.ts';
import { requireSpace } from './require-space.ts';

/** The rows of a table, laid out on demand, and the pages that they fill. */
export interface TableLayout {
  readonly count: number;
  readonly frame: PageFrame;
  /** Lays out a body row. `measuredHeight` is the height that LibreOffice reports. */
  readonly layOut: (bodyRow: number, measuredHeight?: number) => TextRow;
}

/** Reads a table and everything that determines its layout. Throws UnknownFeature for content of unknown height. */
export function layOutLongTable(source: WordPackage, place: TablePlace, fontOf: SizedFontOf): TableLayout {
  const reader = openReader(source);
  const context = { fontOf, addsSpaces: reader.settings.addsSpaces };
  const text = readTextTable(source, reader, place);
  requireSpace(reader, text, context);
  const { table, geometry } = text;
  const width = tableWidth(table, geometry.width - geometry.left - geometry.right);
  const layOut = (index: number, measuredHeight?: number): TextRow => {
    const row = table.rows[index];
    if (row === undefined) throw new RangeError(`the table has no row ${index}`);
    return layOutTextRow({ row, above: table.rows[index - 1], tableWidth: width }, context, measuredHeight);
  };
  const { headerRows } = place;
  const headings = table.rows.slice(0, headerRows);
  const body = table.rows.slice(headerRows);
  const border = borderOf(body);
  const heights = headings.map((row, index) => borderBetween(headings[index - 1], row) + layOut(index).height);
  // The border below the heading rows may differ.
  const below = body[0] === undefined ? border : borderBetween(headings.at(-1), body[0]);
  const heading = heights.length === 0 ? 0 : heights.reduce((sum, height) => sum + height, below - border);
  return {
    count: body.length,
    frame: { height: geometry.height - geometry.top - geometry.bottom, heading, border },
    layOut: (bodyRow, measuredHeight) => layOut(headerRows + bodyRow, measuredHeight),
  };
}

/** The width of the borders between and below rows. Throws UnknownFeature if it varies. */
function borderOf(rows: readonly Row[]): number {
  const widths = new Set<number>();
  for (const [index, row] of rows.entries()) {
    if (index > 0) widths.add(borderBetween(rows[index - 1], row));
    widths.add(borderBelow([{ row }]));
  }
  const [width = 0, ...others] = widths;
  if (others.length > 0) throw new UnknownFeature('borders of different widths');
  return width;
}
