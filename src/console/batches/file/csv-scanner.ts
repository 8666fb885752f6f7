import { FileError } from './file-error.ts';
import { fileLimits } from './limits.ts';
import type { Scanner, SourceRow } from './source-row.ts';

const quote = 0x22;
const lf = 0x0a;
const cr = 0x0d;

/**
 * Reads CSV (RFC 4180) from chunks of text. Each line, including the header, is a row with its fields. LF, CR LF and CR
 * end a line, in any mixture; empty lines are ignored, and a quote inside an unquoted field is literal. A row keeps its
 * source text, because the failed rows of a batch are copied from the file.
 *
 * @throws FileError with the line of a quote that is never closed, text after a closing quote, or a row that is too
 * long
 */
export function createCsvScanner(delimiter: string): Scanner {
  const separator = delimiter.charCodeAt(0);
  let buffer = '';
  let at = 0;
  let rowStart = 0;
  let fieldStart = 0;
  let state: 'start' | 'unquoted' | 'quoted' | 'closed' = 'start';
  let fields: string[] = [];
  let line = 1;
  let rowLine = 1;
  let quoteLine = 1;
  let isAfterCr = false;

  const endField = (): void => {
    const text = buffer.slice(fieldStart, at);
    fields.push(state === 'closed' ? text.slice(1, -1).replaceAll('""', '"') : text);
    state = 'start';
    fieldStart = at + 1;
  };
  const endRow = (rows: SourceRow[]): void => {
    endField();
    const text = buffer.slice(rowStart, at);
    if (text !== '') rows.push({ text, fields, line: rowLine });
    fields = [];
    rowStart = at + 1;
    rowLine = line + 1;
  };
  const scan = (rows: SourceRow[]): void => {
    for (; at < buffer.length; at++) {
      const code = buffer.charCodeAt(at);
      if (isAfterCr && code === lf) {
        isAfterCr = false;
        rowStart = at + 1;
        fieldStart = at + 1;
        continue;
      }
      isAfterCr = false;
      if (state === 'quoted') {
        if (code === quote) state = 'closed';
        else if (code === lf) line += 1;
      } else if (code === separator) endField();
      else if (code === lf || code === cr) {
        endRow(rows);
        line += 1;
        isAfterCr = code === cr;
      } else if (code === quote && state === 'start') {
        state = 'quoted';
        quoteLine = line;
      } else if (code === quote && state === 'closed') state = 'quoted';
      else if (state === 'closed') throw new FileError('textAfterQuote', line);
      else state = 'unquoted';
    }
  };

  return {
    feed(text) {
      buffer = buffer.slice(rowStart) + text;
      at -= rowStart;
      fieldStart -= rowStart;
      rowStart = 0;
      const rows: SourceRow[] = [];
      scan(rows);
      if (at - rowStart > fileLimits.rowLength)
        throw new FileError(state === 'quoted' ? 'unclosedQuote' : 'rowTooLong', rowLine);
      return rows;
    },
    end() {
      if (state === 'quoted') throw new FileError('unclosedQuote', quoteLine);
      const rows: SourceRow[] = [];
      if (at > rowStart) endRow(rows);
      return rows;
    },
  };
}
