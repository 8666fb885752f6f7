import { AppError } from '../../shared/errors.ts';
import type { BodyLease } from './body-lease.ts';

/** How much of a refused body is read and dropped, so that a client still sending it gets to see the answer. */
export const maxRefusedBytes = 64 * 1024 * 1024;

/**
 * Reads a whole body of at most `maxBytes`, counted as they come whatever the headers say. Throws `invalid_request` for
 * a larger one, and for one whose client leaves before its end.
 */
export async function readBody(request: Request, maxBytes: number, lease: BodyLease): Promise<Buffer> {
  const announcedBytes = Number(request.headers.get('Content-Length') ?? 0);
  if (announcedBytes > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return Buffer.alloc(0);
  try {
    return await collect(request.body as AsyncIterable<Uint8Array>, maxBytes, lease);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_request', 'The request body was cut off', { cause: error });
  }
}

async function collect(body: AsyncIterable<Uint8Array>, maxBytes: number, lease: BodyLease): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxRefusedBytes) break;
    if (sizeBytes > maxBytes) continue;
    lease.take(chunk.byteLength);
    chunks.push(chunk);
  }
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks, sizeBytes);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('invalid_request', `The request body is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`);
}
