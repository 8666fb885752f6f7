import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Context } from 'hono';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from './api-env.ts';

const zstdWindowLog = 23;

/** The decompressors by content coding (RFC 9110, 8.4.1; RFC 8878 for zstd, which Node.js has since version 22.15). */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  ...zstdDecoder(),
};

/** The value of `Accept-Encoding` for clients whose encoding is not supported (RFC 9110, 12.5.3). */
export const acceptedEncodings: string = Object.keys(decoders)
  .filter((name) => name !== 'x-gzip')
  .join(', ');

function zstdDecoder(): Readonly<Record<string, () => Transform>> {
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress');
  if (typeof create !== 'function') return {};
  // 8 MB, the limit that RFC 8878, 3.1.1.1.2 recommends for untrusted streams.
  const params = { [Number(Reflect.get(zlib.constants, 'ZSTD_d_windowLogMax'))]: zstdWindowLog };
  return { zstd: () => create({ params }) as Transform };
}

/**
 * The body of a request, decompressed if it has a `Content-Encoding`; null if there is no body. Throws
 * `unsupported_encoding` for an unknown encoding, and for several.
 */
export function openBody(c: Context<ApiEnv>): AsyncIterable<Uint8Array> | null {
  const decoded = decodedBody(c);
  return decoded ?? (c.req.raw.body as AsyncIterable<Uint8Array> | null);
}

/** The decompressed body of a request; undefined if it has no `Content-Encoding`. */
export function decodedBody(c: Context<ApiEnv>): AsyncGenerator<Buffer> | undefined {
  const encoding = c.req.header('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return undefined;
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (create === undefined) {
    throw new AppError(
      'unsupported_encoding',
      `The Content-Encoding must be one of ${acceptedEncodings}, or absent. Send a single one.`,
    );
  }
  return decode(c.env.incoming, create(), encoding);
}

/**
 * Exempts all bodies but those of batches from the ratio limit. Beyond this size, the decompressed body may be at most
 * `maxRatio` times as large as the compressed one.
 */
const ratioFreeBytes = 32 * 1024 * 1024;
const maxRatio = 200;

/**
 * Decompresses a body as it arrives and is read. The reader limits its size. Throws `invalid_request` when the body is
 * not of this encoding, is cut off, or expands more than 200 times beyond its first 32 MB. In any case, the rest of the
 * request is left for the caller to discard, so that the client can read the response.
 */
export async function* decode(incoming: IncomingMessage, decoder: Transform, encoding: string): AsyncGenerator<Buffer> {
  let sentBytes = 0;
  let decodedBytes = 0;
  const count = (chunk: Buffer): void => {
    sentBytes += chunk.length;
  };
  const cut = (): void => {
    if (!incoming.complete)
      decoder.destroy(new AppError('invalid_request', 'The request body was cut off. Send the request again.'));
  };
  incoming.on('data', count).once('close', cut).on('error', cut).pipe(decoder);
  if (incoming.destroyed) cut();
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      decodedBytes += chunk.length;
      if (decodedBytes > ratioFreeBytes && decodedBytes > maxRatio * sentBytes) throw expandsTooFar(encoding);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AppError ? error : notEncoded(encoding, error);
  } finally {
    incoming.off('data', count).off('close', cut).off('error', cut).unpipe(decoder);
    decoder.destroy();
  }
}

function notEncoded(encoding: string, cause: unknown): AppError {
  const message = `The request body is not valid ${encoding}, which its Content-Encoding names`;
  return new AppError('invalid_request', message, { cause });
}

function expandsTooFar(encoding: string): AppError {
  return new AppError(
    'invalid_request',
    `The request body expands more than ${maxRatio} times. Send it without Content-Encoding: ${encoding}.`,
  );
}
