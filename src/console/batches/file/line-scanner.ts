import { FileError } from './file-error.ts';
import { fileLimits } from './limits.ts';
import type { Scanner, SourceRow } from './source-row.ts';

/** Reads NDJSON: each non-empty line is a row. */
export function createLineScanner(): Scanner {
  let rest = '';
  let line = 0;
  const take = (text: string): SourceRow[] => {
    line += 1;
    const row = text.trim();
    return row === '' ? [] : [{ text: row, line }];
  };
  return {
    feed(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > fileLimits.rowLength) throw new FileError('rowTooLong', line + 1);
      return lines.flatMap(take);
    },
    end: () => take(rest),
  };
}
