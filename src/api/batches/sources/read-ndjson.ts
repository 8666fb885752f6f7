import { isSpace } from '../../http/locate-json-error.ts';
import { batchLimits } from '../batch-limits.ts';
import { parseDataRow, type RowText, rowTooLong } from './parse-row.ts';
import type { BatchSource, SourceRow } from './source-row.ts';

const newline = 0x0a;
const blank = /^[ \t\r]*$/;

/**
 * Rows of `application/x-ndjson`: one object per line, ended by LF or CR LF. Ignores a BOM at the start, and empty
 * lines. A compressed body can hold millions of those.
 */
export function readNdjson(chunks: AsyncIterable<Buffer>): BatchSource {
  return { rows: toRows(chunks), envelope: () => ({}) };
}

async function* toRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<SourceRow> {
  for await (const line of toLines(chunks)) {
    if (line.bytes.length < 64 && blank.test(line.bytes.toString('latin1'))) continue;
    yield parseDataRow(line);
  }
}

async function* toLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RowText> {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  let lineOffset = 0;
  let position = 0;
  const append = (piece: Buffer): void => {
    pieces.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes > batchLimits.rowBytes) throw rowTooLong(Buffer.concat(pieces), lineOffset);
  };
  const finish = (): RowText => {
    const [first = Buffer.alloc(0)] = pieces;
    const bytes = pieces.length > 1 ? Buffer.concat(pieces) : first;
    const line = withoutBom({ bytes, offset: lineOffset });
    pieces = [];
    sizeBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    const skipBlank = (): void => {
      while (sizeBytes === 0 && isSpace(chunk[from])) from += 1;
      if (sizeBytes === 0) lineOffset = position + from;
    };
    skipBlank();
    for (let end = chunk.indexOf(newline, from); end >= 0; end = chunk.indexOf(newline, from)) {
      append(chunk.subarray(from, end));
      yield finish();
      from = end + 1;
      skipBlank();
    }
    if (from < chunk.length) append(chunk.subarray(from));
    position += chunk.length;
  }
  yield finish();
}

function withoutBom({ bytes, offset }: RowText): RowText {
  const hasBom = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasBom ? { bytes: bytes.subarray(3), offset: 3 } : { bytes, offset };
}
