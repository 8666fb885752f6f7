import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';
import { type ByteRange, notModified, requestedRange } from './conditional-request.ts';

export interface StoredFile {
  /** The entity tag, in quotes. */
  readonly etag: string;
  readonly sizeBytes: number;
  /** `Content-Type`, `Content-Disposition` and others. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the range, or of the whole file; throws when the file is missing. */
  read(range: ByteRange | undefined): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>>;
}

/**
 * Responds with a file, or with a range of it, according to the request's preconditions (RFC 9110, 13 and 14). Does not
 * read the file for a HEAD, or when the client already has it.
 */
export async function sendFile(c: Context<ApiEnv>, file: StoredFile): Promise<Response> {
  const { etag, sizeBytes } = file;
  const unchanged = notModified(c, etag);
  if (unchanged !== undefined) return unchanged;
  const range = requestedRange(c, etag, sizeBytes);
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  const headers = {
    ...file.headers,
    'Accept-Ranges': 'bytes',
    'Content-Length': String(end - start + 1),
    ETag: etag,
    ...(range !== undefined && { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}` }),
  };
  const body = c.req.method === 'HEAD' ? null : await file.read(range);
  return c.newResponse(body, range === undefined ? 200 : 206, headers);
}

/** The bytes of the range, or of the whole file. */
export function bytesOf(file: Buffer, range: ByteRange | undefined): Uint8Array<ArrayBuffer> {
  return new Uint8Array(range === undefined ? file : file.subarray(range.start, range.end + 1));
}
