import { type CellFormat, cellFormats } from '../../../shared/cells/read-cell.ts';
import { invalidField } from '../../http/parse-request.ts';

/** The stated formats, by the name of their column. */
export type ColumnFormats = ReadonlyMap<string, CellFormat>;

const choices = cellFormats.join('|');
// The name of a column may have commas and colons itself, so an entry ends only after the name of a format.
const entry = new RegExp(`(.+?):(${choices})(?:,(?=.)|$)`, 'suy');

/** The end of every list of formats, such as `total:decimalComma,customer.since:dayFirst`. */
export const columnFormatsPattern = `:(?:${choices})$`;

/** Parses the query parameter `columnFormats`. Throws `invalid_request`. */
export function parseColumnFormats(text: string): ColumnFormats {
  const formats = new Map<string, CellFormat>();
  entry.lastIndex = 0;
  for (let at = 0; at < text.length; at = entry.lastIndex) {
    const [, name = '', stated] = entry.exec(text) ?? [];
    const format = cellFormats.find((known) => known === stated);
    if (format === undefined) {
      throw invalidField(
        'columnFormats',
        `must be a list such as total:decimalComma,day:dayFirst (${cellFormats.join(', ')})`,
      );
    }
    const column = name.trim();
    if (formats.has(column)) throw invalidField('columnFormats', 'names a column twice');
    formats.set(column, format);
  }
  return formats;
}

/** The format of each column of a header. Throws `invalid_request` for a format whose column does not exist. */
export function formatColumns(
  names: readonly string[],
  formats: ColumnFormats = new Map(),
): readonly (CellFormat | undefined)[] {
  const unknown = [...formats.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalidField('columnFormats', `the CSV has no column named ${unknown.toWellFormed().slice(0, 200)}`);
  }
  return names.map((name) => formats.get(name));
}
