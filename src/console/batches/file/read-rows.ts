import { createCsvScanner } from './csv-scanner.ts';
import { FileError } from './file-error.ts';
import { fileLimits } from './limits.ts';
import { createLineScanner } from './line-scanner.ts';
import { createListScanner } from './list-scanner.ts';
import { type Encoding, readText } from './read-text.ts';
import type { Scanner, SourceRow } from './source-row.ts';

export type FileKind = 'csv' | 'ndjson' | 'json';

export interface FileFormat {
  readonly kind: FileKind;
  readonly encoding: Encoding;
  /** The CSV delimiter. */
  readonly delimiter: string;
}

export interface RowsPiece {
  readonly rows: readonly SourceRow[];
  readonly readBytes: number;
}

/**
 * Reads the rows of a file in chunks; for CSV, the header is the first row. The file is never loaded whole.
 *
 * @throws FileError, EncodingError
 */
export async function* readRows(file: Blob, format: FileFormat, signal?: AbortSignal): AsyncGenerator<RowsPiece> {
  if (file.size > fileLimits.bytes) throw new FileError('tooLarge');
  const scanner = createScanner(format);
  for await (const { text, readBytes } of readText(file, format.encoding, signal)) {
    yield { rows: scanner.feed(text), readBytes };
  }
  yield { rows: scanner.end(), readBytes: file.size };
}

function createScanner({ kind, delimiter }: FileFormat): Scanner {
  if (kind === 'csv') return createCsvScanner(delimiter);
  return kind === 'json' ? createListScanner() : createLineScanner();
}
