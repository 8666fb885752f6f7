import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Thrown when a stored file does not have its recorded size or checksum. */
class DamagedFile extends Error {}

/**
 * The first `sizeBytes` of a stream as a response body. With a checksum (SHA-256, hex) the last chunk is held back
 * until all bytes are verified, so the response of a damaged file ends early and clients see that it is incomplete.
 */
export function toVerifiedBody(
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
  let remainingBytes = sizeBytes;
  let heldBack: Buffer | undefined;
  for await (const chunk of stream) {
    const part = chunk.subarray(0, remainingBytes);
    remainingBytes -= part.length;
    digest.update(part);
    if (heldBack !== undefined) yield heldBack;
    heldBack = part;
    if (remainingBytes === 0) break;
  }
  if (remainingBytes > 0) throw new DamagedFile('the file is shorter than expected');
  if (checksum !== undefined && digest.digest('hex') !== checksum) throw new DamagedFile('the file has changed');
  if (heldBack !== undefined) yield heldBack;
}
