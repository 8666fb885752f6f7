import { isUtf8 } from 'node:buffer';
import type { Context } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';
import { decodedBody } from './decode-body.ts';
import { locateJsonError } from './locate-json-error.ts';
import { readBody, readDecoded } from './read-body.ts';
import { scanJson } from './scan-json.ts';

export const maxJsonBytes = 10 * 1024 * 1024;
export const maxJsonDepth = 64;

export interface JsonBody {
  readonly value: unknown;
  /** The values of the outermost object, byte for byte as they were sent. */
  readonly members: ReadonlyMap<string, Buffer>;
  readonly bytes: Buffer;
}

/**
 * Reads an `application/json` body, decompressed if it has a `Content-Encoding`; throws `invalid_request` when it is of
 * another type, invalid, too deep or too large.
 */
export async function readJson(c: Context<ApiEnv>): Promise<JsonBody> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    throw new AppError('invalid_request', 'The Content-Type of this request must be application/json');
  }
  const decoded = decodedBody(c);
  const lease = c.get('bodyLease');
  const body =
    decoded === undefined
      ? await readBody(c.env.incoming, maxJsonBytes, lease)
      : await readDecoded(decoded, maxJsonBytes, lease);
  const bytes = withoutBom(body);
  if (!isUtf8(bytes)) throw new AppError('invalid_request', `The request body ${encodingProblem(bytes)}`);
  const { depth, members } = scanJson(bytes, maxJsonDepth);
  if (depth > maxJsonDepth) {
    throw new AppError('invalid_request', `The request body nests deeper than ${maxJsonDepth} levels`);
  }
  return { value: parse(bytes, body.length - bytes.length), members, bytes };
}

/** What is wrong with text that is not UTF-8. */
export function encodingProblem(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? 'is compressed. Send it with Content-Encoding: gzip' : 'is not valid UTF-8';
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
