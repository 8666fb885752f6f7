import { type FileFormat, readRows } from './read-rows.ts';

const flushedLength = 1_000_000;
const byteOrderMark = '\uFEFF';

/**
 * Copies some rows of a file, as written, to a file of the same format; for CSV with the header. The result is UTF-8.
 * CSV starts with a byte order mark, by which Excel detects the encoding.
 *
 * @param rows numbers of the rows, counted from 1
 * @throws FileError when the file has changed or disappeared
 */
export async function extractRows(file: File, format: FileFormat, rows: ReadonlySet<number>): Promise<File> {
  const isCsv = format.kind === 'csv';
  const parts: Blob[] = [];
  let text = isCsv ? byteOrderMark : format.kind === 'json' ? '[\n' : '';
  const lineEnd = isCsv ? '\r\n' : '\n';
  let row = isCsv ? -1 : 0;
  let isFirst = true;
  for await (const piece of readRows(file, format)) {
    for (const { text: written } of piece.rows) {
      row += 1;
      if (row > 0 && !rows.has(row)) continue;
      const before = format.kind === 'json' && !isFirst ? ',\n' : '';
      text += before + written + (format.kind === 'json' ? '' : lineEnd);
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

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' };

function nameOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-rows${name.slice(dot)}` : `${name}-rows`;
}
