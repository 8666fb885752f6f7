import { isUtf8 } from 'node:buffer';
import { AppError } from '../../../shared/errors.ts';
import { encodingProblem } from '../../http/parse-json.ts';
import { type CsvOptions, readCsv } from './read-csv.ts';
import { readJsonItems } from './read-json-items.ts';
import { readNdjson } from './read-ndjson.ts';
import { type BatchSource, malformedStream } from './source-row.ts';

const readers: Readonly<Record<string, (chunks: AsyncIterable<Buffer>, csv: CsvOptions) => BatchSource>> = {
  'application/json': readJsonItems,
  'application/x-ndjson': readNdjson,
  'text/csv': readCsv,
};

/**
 * Opens a body of one of the three types. Throws `invalid_request` for any other type, and for a charset other than
 * UTF-8.
 *
 * @param csv how the cells of CSV are read
 */
export function openSource(headers: Headers, chunks: AsyncIterable<Uint8Array>, csv: CsvOptions): BatchSource {
  const [type = '', ...parameters] = (headers.get('Content-Type') ?? '').toLowerCase().split(';');
  const read = Object.hasOwn(readers, type.trim()) ? readers[type.trim()] : undefined;
  if (read === undefined) {
    throw new AppError(
      'invalid_request',
      'The Content-Type of this request must be application/json, application/x-ndjson or text/csv',
    );
  }
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)/.exec(parameter)?.[1]).find(Boolean);
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/.test(charset)) {
    throw new AppError('invalid_request', 'The body must be UTF-8');
  }
  return read(validUtf8(chunks), csv);
}

/** Yields a stream in pieces that never split a character; throws at the first byte that is not UTF-8 (RFC 3629). */
export async function* validUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let carry = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes = carry.length === 0 ? toBuffer(chunk) : Buffer.concat([carry, chunk]);
    const end = bytes.length - unfinishedBytes(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) {
      const problem = offset === 0 ? encodingProblem(whole) : 'is not valid UTF-8';
      throw malformedStream(problem, offset + firstInvalidByte(whole));
    }
    offset += end;
    carry = Buffer.from(bytes.subarray(end));
    if (whole.length > 0) yield whole;
  }
  if (carry.length > 0) throw malformedStream('is not valid UTF-8: it ends within a character', offset);
}

function toBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Number of bytes at the end that may start a character which continues in the next piece. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < size ? back : 0;
  }
  return 0;
}

/** The length of the longest valid prefix, found by binary search over prefixes that end between characters. */
function firstInvalidByte(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    const cut = middle - unfinishedBytes(bytes.subarray(valid, middle));
    if (isUtf8(bytes.subarray(valid, cut))) {
      if (cut === valid) break;
      valid = cut;
    } else invalid = middle;
  }
  while (valid < bytes.length && isCharacter(bytes, valid)) valid += characterBytes(bytes[valid] ?? 0);
  return valid;
}

function isCharacter(bytes: Buffer, at: number): boolean {
  return isUtf8(bytes.subarray(at, at + characterBytes(bytes[at] ?? 0)));
}

function characterBytes(first: number): number {
  if (first < 0xc0) return 1;
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}
