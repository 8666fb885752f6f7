/** A message between two processes: a JSON head and raw bytes. */
export interface Frame {
  readonly head: Buffer;
  readonly body: Buffer;
}

const lengthsBytes = 8;

/** The pieces of a frame in writing order. `body` is not copied. */
export function framePieces(head: unknown, body: readonly Uint8Array[]): Uint8Array[] {
  return [frameHead(head, sizeOf(body)), ...body];
}

export const sizeOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** The lengths and the head that precede a body of `bodyBytes`. */
export function frameHead(head: unknown, bodyBytes: number): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const bytes = Buffer.allocUnsafe(lengthsBytes + text.length);
  bytes.writeUInt32LE(text.length, 0);
  bytes.writeUInt32LE(bodyBytes, 4);
  bytes.set(text, lengthsBytes);
  return bytes;
}

export interface FrameReaderOptions {
  /** Maximum size of a frame, without its length prefix. */
  readonly maxBytes: number;
  /** Whether a frame may be a view of the chunk it arrived in; otherwise it is a copy. */
  readonly keepsChunks: boolean;
}

/** Reassembles frames from a stream of chunks. */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  readonly #lengths = Buffer.allocUnsafe(lengthsBytes);
  #lengthsRead = 0;
  #headBytes = 0;
  #partial: Buffer | undefined;
  #partialRead = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
  }

  /** Returns the frames that this chunk completes. Throws for a frame that exceeds the limit. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    for (let at = 0; at < chunk.length; ) {
      if (this.#partial === undefined) {
        at += this.#readLengths(chunk, at);
        if (this.#lengthsRead < lengthsBytes) break;
        at += this.#begin(chunk, at, frames);
      } else at += this.#continue(this.#partial, chunk, at, frames);
    }
    return frames;
  }

  #readLengths(chunk: Buffer, at: number): number {
    const count = chunk.copy(this.#lengths, this.#lengthsRead, at);
    this.#lengthsRead += count;
    return count;
  }

  #begin(chunk: Buffer, at: number, frames: Frame[]): number {
    this.#lengthsRead = 0;
    this.#headBytes = this.#lengths.readUInt32LE(0);
    const size = this.#headBytes + this.#lengths.readUInt32LE(4);
    const { maxBytes, keepsChunks } = this.#options;
    if (size > maxBytes) throw new Error(`message too large: ${size} bytes, limit ${maxBytes}`);
    if (keepsChunks && chunk.length - at >= size) {
      frames.push(this.#toFrame(chunk.subarray(at, at + size)));
      return size;
    }
    this.#partial = Buffer.allocUnsafe(size);
    this.#partialRead = 0;
    return 0;
  }

  #continue(partial: Buffer, chunk: Buffer, at: number, frames: Frame[]): number {
    const count = chunk.copy(partial, this.#partialRead, at);
    this.#partialRead += count;
    if (this.#partialRead === partial.length) {
      this.#partial = undefined;
      frames.push(this.#toFrame(partial));
    }
    return count;
  }

  #toFrame(bytes: Buffer): Frame {
    return { head: bytes.subarray(0, this.#headBytes), body: bytes.subarray(this.#headBytes) };
  }
}
