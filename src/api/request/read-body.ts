import { AppError } from '../../shared/errors.ts';
import type { BodyLease } from './body-lease.ts';

/** How much of a refused body is read and dropped, so that a client still sending it gets to see the answer. */
export const maxRefusedBytes = 64 * 1024 * 1024;

/**
 * Reads a whole body of at most `maxBytes`, counted as they come whatever the headers say. Throws `invalid_request` for
 * a larger one.
 */
export async function readBody(request: Request, maxBytes: number, lease: BodyLease): Promise<Buffer> {
  const tooLarge = (): AppError =>
    new AppError('invalid_request', `The request body is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw tooLarge();
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxRefusedBytes) break;
    if (sizeBytes > maxBytes) continue;
    lease.take(chunk.byteLength);
    chunks.push(chunk);
  }
  if (sizeBytes > maxBytes) throw tooLarge();
  return Buffer.concat(chunks, sizeBytes);
}
