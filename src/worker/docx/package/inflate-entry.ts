import { constants, crc32, inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { refusal } from './refusal.ts';
import type { ZipEntry } from './zip-directory.ts';

const maxChunkBytes = 1024 * 1024;
// Deflate expands at most 1032-fold, so a slice never exceeds 2 MB.
const headSliceBytes = 2048;

const keptBytes = 4 * 1024 * 1024;
const largestKept = 64 * 1024;

interface Kept {
  readonly deflated: Buffer;
  readonly content: Buffer;
}

/**
 * Inflated parts by checksum. Filled templates share most parts byte for byte, and inflating a short one takes as long
 * as reading it.
 */
const kept = new LRUCache<number, Kept>({
  maxSize: keptBytes,
  sizeCalculation: ({ deflated, content }) => 1 + deflated.length + content.length,
});

/** Inflates an entry; do not modify the bytes. Throws unless its size and checksum match the directory. */
export function inflateEntry(entry: ZipEntry): Buffer {
  if (entry.method === 0 || entry.sizeBytes > largestKept) return checkedContent(entry);
  const known = kept.get(entry.crc32);
  if (known?.content.length === entry.sizeBytes && known.deflated.equals(entry.data)) return known.content;
  const content = checkedContent(entry);
  kept.set(entry.crc32, { deflated: Buffer.from(entry.data), content });
  return content;
}

function checkedContent(entry: ZipEntry): Buffer {
  const content = entry.method === 0 ? entry.data : inflate(entry);
  if (content.length !== entry.sizeBytes) {
    throw refusal('The part does not have the size the file says. Save it again in Word.', entry.name);
  }
  if (crc32(content) !== entry.crc32) {
    throw refusal(
      'The part is damaged: its checksum is wrong. Send the file again, or save it again in Word.',
      entry.name,
    );
  }
  return content;
}

/** The first `maxBytes` bytes of an entry, usually without inflating the rest. */
export function inflateHead(entry: ZipEntry, maxBytes: number): Buffer {
  const headBytes = Math.min(maxBytes, entry.sizeBytes);
  if (entry.method === 8 && entry.data.length > headSliceBytes) {
    const head = inflateSlice(entry.data.subarray(0, headSliceBytes));
    if (head.length >= headBytes) return head.subarray(0, headBytes);
  }
  return inflateEntry(entry).subarray(0, headBytes);
}

function inflateSlice(slice: Buffer): Buffer {
  try {
    return inflateRawSync(slice, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

function inflate(entry: ZipEntry): Buffer {
  if (entry.data.length === 0 && entry.sizeBytes === 0) return Buffer.alloc(0);
  try {
    return inflateRawSync(entry.data, {
      maxOutputLength: Math.max(1, entry.sizeBytes),
      chunkSize: Math.min(Math.max(64, entry.sizeBytes + 16), maxChunkBytes),
    });
  } catch (error) {
    if (error instanceof RangeError) {
      throw refusal('The part unpacks to more than the file says. Save it again in Word.', entry.name);
    }
    throw refusal(
      'The part is damaged and cannot be unpacked. Send the file again, or save it again in Word.',
      entry.name,
    );
  }
}
