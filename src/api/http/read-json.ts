import type { Context } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';
import { decodedBody } from './decode-body.ts';
import type { JsonParser } from './json-parser.ts';
import { readBody, readDecoded } from './read-body.ts';

export const maxJsonBytes = 10 * 1024 * 1024;

export interface JsonBody {
  /** The parsed body; large `data` is replaced by an empty value of the same type. */
  readonly value: unknown;
  /** The text of the member `data`, byte for byte as it was sent. */
  readonly data: Buffer | undefined;
  readonly bytes: Buffer;
}

/**
 * Reads an `application/json` body, decompressed if it has a `Content-Encoding`; throws `invalid_request` when it is of
 * another type, invalid, too deep or too large.
 */
export async function readJson(c: Context<ApiEnv>, parser: JsonParser, maxBytes = maxJsonBytes): Promise<JsonBody> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    throw new AppError('invalid_request', 'The Content-Type of this request must be application/json');
  }
  const decoded = decodedBody(c);
  const lease = c.get('bodyLease');
  const bytes =
    decoded === undefined
      ? await readBody(c.env.incoming, maxBytes, lease)
      : await readDecoded(decoded, maxBytes, lease);
  const parsed = await parser.parse(c.get('accountId'), bytes);
  if ('problem' in parsed) throw new AppError('invalid_request', `The request body ${parsed.problem}`);
  return { ...parsed, bytes };
}
