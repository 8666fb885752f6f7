import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** A file of the store that changes on its way. */
class DamagedFile extends Error {}

/**
 * The first `sizeBytes` of a stream as a body. With a checksum (SHA-256, hex) the last chunk is held back until all bytes
 * are known to be the right ones: a damaged file breaks off, and no client takes it for whole.
 */
export function toBody(
  stream: AsyncIterable<Buffer>,
  sizeBytes: number,
  checksum?: string,
): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(checked(stream, sizeBytes, checksum), { objectMode: false }));
}

async function* checked(
  stream: AsyncIterable<Buffer>,
  sizeBytes: number,
  checksum: string | undefined,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let left = sizeBytes;
  let heldBack: Buffer | undefined;
  for await (const chunk of stream) {
    const part = chunk.subarray(0, left);
    left -= part.length;
    digest.update(part);
    if (heldBack !== undefined) yield heldBack;
    heldBack = part;
    if (left === 0) break;
  }
  if (left > 0) throw new DamagedFile('the file is shorter than it was');
  if (checksum !== undefined && digest.digest('hex') !== checksum) throw new DamagedFile('the file has changed');
  if (heldBack !== undefined) yield heldBack;
}
