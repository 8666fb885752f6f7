import { crc32, deflateRawSync } from 'node:zlib';
import { AppError } from '../../../shared/errors.ts';
import type { DocxPackage } from './open-package.ts';
import type { ZipEntry } from './zip-directory.ts';

export interface WriteOptions {
  /** Compression of changed parts; `store` is for a package that is read once and discarded. */
  readonly compression?: 'deflate' | 'store';
}

const contentTypes = '[content_types].xml';
const localSize = 30;
const centralSize = 46;
const endSize = 22;
/** An archive counts its files with 16 bits. Fonts may be added later. */
const maxParts = 65_000;

/**
 * Writes `source` with `changes` (null removes a part, a new name adds one). Unchanged parts are copied without
 * recompression; equal input gives equal bytes. [Content_Types].xml comes first, as file type detectors expect. Throws
 * `render_limit` for too many parts.
 */
export function writePackage(
  source: DocxPackage,
  changes: ReadonlyMap<string, Uint8Array | null>,
  options: WriteOptions = {},
): Buffer {
  const entries = mergedEntries(source, changes, options.compression ?? 'deflate');
  if (entries.length > maxParts) throw tooManyParts();
  const names = entries.map(({ name }) => Buffer.from(name));
  let size = endSize;
  for (const [i, { data }] of entries.entries())
    size += localSize + centralSize + 2 * (names[i]?.length ?? 0) + data.length;
  const file = Buffer.allocUnsafe(size);
  const offsets: number[] = [];
  let at = 0;
  for (const [i, entry] of entries.entries()) {
    offsets.push(at);
    const name = names[i] ?? Buffer.alloc(0);
    file.writeUInt32LE(0x04034b50, at);
    writeCommon(file, at + 4, entry, name.length);
    at = append(file, at + localSize, name);
    at = append(file, at, entry.data);
  }
  const directory = at;
  for (const [i, entry] of entries.entries()) {
    const name = names[i] ?? Buffer.alloc(0);
    file.writeUInt32LE(0x02014b50, at);
    file.writeUInt16LE(20, at + 4);
    writeCommon(file, at + 6, entry, name.length);
    file.fill(0, at + 32, at + 42);
    file.writeUInt32LE(offsets[i] ?? 0, at + 42);
    at = append(file, at + centralSize, name);
  }
  writeEnd(file, at, entries.length, directory);
  return file;
}

function mergedEntries(
  source: DocxPackage,
  changes: ReadonlyMap<string, Uint8Array | null>,
  compression: 'deflate' | 'store',
): ZipEntry[] {
  const pending = new Map<string, readonly [string, Uint8Array | null]>();
  for (const [name, content] of changes) pending.set(name.toLowerCase(), [name, content]);
  const entries: ZipEntry[] = [];
  for (const name of source.partNames) {
    const change = pending.get(name.toLowerCase());
    pending.delete(name.toLowerCase());
    const entry =
      change === undefined ? source.entry(name) : change[1] === null ? undefined : pack(name, change[1], compression);
    if (entry === undefined) continue;
    if (name.toLowerCase() === contentTypes) entries.unshift(entry);
    else entries.push(entry);
  }
  for (const [name, content] of pending.values()) if (content !== null) entries.push(pack(name, content, compression));
  return entries;
}

function pack(name: string, content: Uint8Array, compression: 'deflate' | 'store'): ZipEntry {
  const plain = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const common = { name, crc32: crc32(plain), sizeBytes: plain.length };
  if (compression === 'store') return { ...common, method: 0, data: plain };
  const data = deflateRawSync(plain);
  return data.length < plain.length ? { ...common, method: 8, data } : { ...common, method: 0, data: plain };
}

/** The fields that local and central headers share: version, flags (UTF-8 names), method, time (1980-01-01), sizes, name. */
function writeCommon(file: Buffer, at: number, entry: ZipEntry, nameBytes: number): void {
  file.writeUInt16LE(20, at);
  file.writeUInt16LE(0x0800, at + 2);
  file.writeUInt16LE(entry.method, at + 4);
  file.writeUInt32LE(0x00210000, at + 6);
  file.writeUInt32LE(entry.crc32, at + 10);
  file.writeUInt32LE(entry.data.length, at + 14);
  file.writeUInt32LE(entry.sizeBytes, at + 18);
  file.writeUInt16LE(nameBytes, at + 22);
  file.writeUInt16LE(0, at + 24);
}

function writeEnd(file: Buffer, at: number, count: number, directory: number): void {
  file.fill(0, at, at + endSize);
  file.writeUInt32LE(0x06054b50, at);
  file.writeUInt16LE(count, at + 8);
  file.writeUInt16LE(count, at + 10);
  file.writeUInt32LE(at - directory, at + 12);
  file.writeUInt32LE(directory, at + 16);
}

function append(file: Buffer, at: number, bytes: Uint8Array): number {
  file.set(bytes, at);
  return at + bytes.length;
}

function tooManyParts(): AppError {
  const message = `The document holds more than ${maxParts} pictures, headers and footers`;
  const hint = 'render fewer items in one document';
  return new AppError('render_limit', message, { details: [{ type: 'Message', message, hint }] });
}
