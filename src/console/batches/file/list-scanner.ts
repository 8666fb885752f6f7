import { FileError } from './file-error.ts';
import { fileLimits } from './limits.ts';
import type { Scanner, SourceRow } from './source-row.ts';

const space = /\s/;

/**
 * Reads a JSON list: each element is a row, as written except for its line breaks. Only brackets and strings are
 * followed; invalid elements are found later, when they are parsed.
 */
export function createListScanner(): Scanner {
  let state: 'before' | 'inside' | 'after' = 'before';
  let buffer = '';
  let at = 0;
  let start = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let line = 0;

  const take = (rows: SourceRow[], isLast: boolean): void => {
    // Outside strings, a line break is white space; inside strings, JSON does not allow one.
    const text = buffer
      .slice(start, at)
      .replaceAll(/[\r\n]+/g, ' ')
      .trim();
    start = at + 1;
    if (text === '' && isLast && line === 0) return;
    line += 1;
    if (text === '') throw new FileError('notJson', line);
    rows.push({ text, line });
  };
  const scan = (rows: SourceRow[]): void => {
    for (; at < buffer.length; at++) {
      const sign = buffer[at] ?? '';
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (sign === '\\') isEscaped = true;
        else if (sign === '"') isInString = false;
      } else if (state !== 'inside') {
        if (space.test(sign)) continue;
        if (state === 'after' || sign !== '[')
          throw new FileError(state === 'after' ? 'notJson' : 'notAList', line + 1);
        state = 'inside';
        start = at + 1;
      } else if (sign === '"') isInString = true;
      else if (sign === '{' || sign === '[') depth += 1;
      else if (depth > 0) {
        if (sign === '}' || sign === ']') depth -= 1;
      } else if (sign === ',') take(rows, false);
      else if (sign === ']') {
        take(rows, true);
        state = 'after';
      }
    }
  };

  return {
    feed(text) {
      buffer = buffer.slice(start) + text;
      at -= start;
      start = 0;
      const rows: SourceRow[] = [];
      scan(rows);
      if (state === 'after') start = at;
      else if (at - start > fileLimits.rowLength) throw new FileError('rowTooLong', line + 1);
      return rows;
    },
    end() {
      if (state !== 'after') throw new FileError(state === 'before' ? 'notAList' : 'endsEarly', line + 1);
      return [];
    },
  };
}
