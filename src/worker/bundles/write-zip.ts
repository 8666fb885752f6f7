import { makeZip } from 'client-zip';

export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

const endBytes = 22;
const locatorBytes = 20;
const recordBytes = 56;
const maxUint16 = 0xffff;

/**
 * Streams a zip (APPNOTE 6.3) of uncompressed files; uses Zip64 from 4 GB or 65,535 files. All entries carry the same
 * `time`, so that the same files produce the same bytes.
 */
export async function* writeZip(files: AsyncIterable<ZipFile>, time: Date): AsyncGenerator<Uint8Array> {
  let count = 0;
  const inputs = async function* () {
    for await (const { name, bytes } of files) {
      count += 1;
      yield { name, input: bytes, lastModified: time };
    }
  };
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of makeZip(inputs(), { buffersAreUTF8: true })) {
    if (chunk.length >= endBytes + locatorBytes) {
      yield tail;
      tail = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    } else {
      tail = Buffer.concat([tail, chunk]);
    }
    const flushableBytes = tail.length - endBytes - locatorBytes;
    if (flushableBytes <= 0) continue;
    yield tail.subarray(0, flushableBytes);
    tail = tail.subarray(flushableBytes);
  }
  yield* ending(tail, count);
}

/** client-zip omits the Zip64 record when only the number of files requires it. */
function* ending(tail: Buffer, count: number): Generator<Buffer> {
  const end = tail.subarray(-endBytes);
  const hasRecord = tail.subarray(-endBytes - locatorBytes).indexOf('PK\x06\x07', 0, 'latin1') === 0;
  if (count < maxUint16 || hasRecord) return yield tail;
  yield tail.subarray(0, -endBytes);
  const [sizeBytes, offset] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  yield zip64Record({ count, sizeBytes, offset });
  yield end;
}

/** Zip64 end of central directory record and its locator (APPNOTE 4.3.14 and 4.3.15). */
function zip64Record(directory: {
  readonly count: number;
  readonly sizeBytes: number;
  readonly offset: number;
}): Buffer {
  const { count, sizeBytes, offset } = directory;
  const bytes = Buffer.alloc(recordBytes + locatorBytes);
  bytes.write('PK\x06\x06', 0, 'latin1');
  bytes.writeBigUInt64LE(BigInt(recordBytes - 12), 4);
  bytes.writeUInt16LE(45, 12);
  bytes.writeUInt16LE(45, 14);
  bytes.writeBigUInt64LE(BigInt(count), 24);
  bytes.writeBigUInt64LE(BigInt(count), 32);
  bytes.writeBigUInt64LE(BigInt(sizeBytes), 40);
  bytes.writeBigUInt64LE(BigInt(offset), 48);
  bytes.write('PK\x06\x07', recordBytes, 'latin1');
  bytes.writeBigUInt64LE(BigInt(offset + sizeBytes), recordBytes + 8);
  bytes.writeUInt32LE(1, recordBytes + 16);
  return bytes;
}
