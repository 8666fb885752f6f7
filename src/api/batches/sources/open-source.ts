import { AppError } from '../../../shared/errors.ts';
import { readCsv } from './read-csv.ts';
import { readJsonItems } from './read-json-items.ts';
import { readNdjson } from './read-ndjson.ts';
import type { BatchSource } from './source-row.ts';
import { validUtf8 } from './valid-utf8.ts';

const readers: Readonly<Record<string, (chunks: AsyncIterable<Buffer>) => BatchSource>> = {
  'application/json': readJsonItems,
  'application/x-ndjson': readNdjson,
  'text/csv': readCsv,
};

/** The reader for a body of this type; throws `invalid_request` for another type, for another encoding than UTF-8, and for
 * a compressed body. */
export function openSource(headers: Headers, chunks: AsyncIterable<Uint8Array>): BatchSource {
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
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw new AppError('invalid_request', 'The body must be sent without Content-Encoding');
  return read(validUtf8(chunks));
}
