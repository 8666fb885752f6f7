import Papa from 'papaparse';
import type { Corrections } from '../mapping/row-plan.ts';
import { type FileFormat, readRows } from './read-rows.ts';
import type { SourceRow } from './source-row.ts';

const flushedLength = 1_000_000;
const byteOrderMark = '\uFEFF';

/**
 * Copies some rows of a file, as written, to a file of the same format; for CSV with the header. The result is UTF-8.
 * CSV starts with a byte order mark, by which Excel detects the encoding.
 *
 * @param rows numbers of the rows, counted from 1
 * @param corrections cells of CSV to write anew
 * @throws FileError when the file has changed or disappeared
 */
export async function extractRows(
  file: File,
  format: FileFormat,
  rows: ReadonlySet<number>,
  corrections: Corrections = new Map(),
): Promise<File> {
  const isCsv = format.kind === 'csv';
  const parts: Blob[] = [];
  let text = isCsv ? byteOrderMark : format.kind === 'json' ? '[\n' : '';
  const lineEnd = isCsv ? '\r\n' : '\n';
  let row = isCsv ? -1 : 0;
  let isFirst = true;
  for await (const piece of readRows(file, format)) {
    for (const source of piece.rows) {
      row += 1;
      if (row > 0 && !rows.has(row)) continue;
      const before = format.kind === 'json' && !isFirst ? ',\n' : '';
      text +=
        before +
        correctedText(source, corrections.get(row), format.delimiter) +
        (format.kind === 'json' ? '' : lineEnd);
      isFirst = false;
      if (text.length > flushedLength) {
        parts.push(new Blob([text]));
        text = '';
      }
    }
  }
  parts.push(new Blob([text, format.kind === 'json' ? '\n]\n' : '']));
  return new File(parts, nameOf(file.name), { type: types[format.kind] });
}

function correctedText(
  { text, fields }: SourceRow,
  cells: ReadonlyMap<number, string> | undefined,
  delimiter: string,
): string {
  if (cells === undefined || fields === undefined) return text;
  return Papa.unparse([fields.map((field, column) => cells.get(column) ?? field)], { delimiter });
}

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' };

function nameOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-rows${name.slice(dot)}` : `${name}-rows`;
}
