import type { Readable } from 'node:stream';

/** A document to add to a volume. */
export interface MergeInput {
  readonly row: number;
  readonly title: string;
  readonly bytes: Uint8Array;
}

/** Why the merge failed. The merge process writes this as JSON to its standard error before it exits. */
export interface MergeRefusal {
  readonly row: number;
  readonly reason: string;
}

/** Exit code of the merge process after writing a `MergeRefusal`. */
export const refusedExitCode = 3;

const headBytes = 12;

/** The frame of a document: row, length of the title and of the file (32 bits each), then the title and the file. */
export function toFrame({ row, title, bytes }: MergeInput): Buffer[] {
  const name = Buffer.from(title);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(row, 0);
  head.writeUInt32LE(name.length, 4);
  head.writeUInt32LE(bytes.length, 8);
  return [Buffer.concat([head, name]), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)];
}

/** The documents of a stream of frames, one at a time. */
export async function* readFrames(stream: Readable): AsyncGenerator<MergeInput> {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  let frameBytes = headBytes;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    bufferedBytes += (chunk as Buffer).length;
    while (bufferedBytes >= frameBytes) {
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      const [titleBytes, fileBytes] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
      frameBytes = headBytes + titleBytes + fileBytes;
      chunks = [bytes];
      if (bufferedBytes < frameBytes) break;
      const title = bytes.toString('utf8', headBytes, headBytes + titleBytes);
      yield { row: bytes.readUInt32LE(0), title, bytes: bytes.subarray(headBytes + titleBytes, frameBytes) };
      chunks = [bytes.subarray(frameBytes)];
      bufferedBytes -= frameBytes;
      frameBytes = headBytes;
    }
  }
  if (bufferedBytes > 0) throw new Error('the stream of documents is truncated');
}
