import { isUtf8 } from 'node:buffer';
import type { Context } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';
import { locateJsonError } from './locate-json-error.ts';
import { readBody } from './read-body.ts';
import { scanJson } from './scan-json.ts';

export const maxJsonBytes = 10 * 1024 * 1024;
export const maxJsonDepth = 64;

export interface JsonBody {
  readonly value: unknown;
  /** The values of the outermost object, byte for byte as they were sent. */
  readonly members: ReadonlyMap<string, Buffer>;
  readonly bytes: Buffer;
}

/** Reads an `application/json` body; throws `invalid_request` when it is of another type, invalid, too deep or too large. */
export async function readJson(c: Context<ApiEnv>): Promise<JsonBody> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    throw new AppError('invalid_request', 'The Content-Type of this request must be application/json');
  }
  const body = await readBody(c.env.incoming, maxJsonBytes, c.get('bodyLease'));
  const bytes = withoutBom(body);
  if (!isUtf8(bytes)) throw new AppError('invalid_request', 'The request body is not valid UTF-8');
  const { depth, members } = scanJson(bytes, maxJsonDepth);
  if (depth > maxJsonDepth) {
    throw new AppError('invalid_request', `The request body nests deeper than ${maxJsonDepth} levels`);
  }
  return { value: parse(bytes, body.length - bytes.length), members, bytes };
}

/** Senders must not add a byte order mark, receivers may ignore it (RFC 8259, 8.1). */
export function withoutBom(text: Buffer): Buffer {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? text.subarray(3) : text;
}

/** `skippedBytes` precede the text in the body. */
function parse(bytes: Buffer, skippedBytes: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    const errorAt = locateJsonError(bytes);
    const where = errorAt === undefined ? '' : ` (at byte ${errorAt + skippedBytes})`;
    throw new AppError('invalid_request', `The request body is not valid JSON${where}`);
  }
}
