import type { PackageLimits } from '../limits.ts';
import { readEntryName } from './entry-name.ts';
import { refusal } from './refusal.ts';
import { findEndRecord } from './zip-end-record.ts';

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const encryptedFlags = 0x0001 | 0x0040 | 0x2000;

/** One compressed file of the archive. `sizeBytes` is the declared size, unverified until the entry is inflated. */
export interface ZipEntry {
  readonly name: string;
  readonly method: 0 | 8;
  readonly crc32: number;
  readonly sizeBytes: number;
  readonly data: Buffer;
}

interface Located extends ZipEntry {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the central directory (APPNOTE 4.3.12) and checks it against the local headers. Keys are lower-case names, since part
 * names ignore case (ECMA-376 part 2, 6.2.2.3). Does not inflate anything or allocate memory by declared sizes.
 */
export function readZipDirectory(file: Buffer, limits: PackageLimits): Map<string, ZipEntry> {
  const { entries: count, offset, end } = findEndRecord(file);
  if (count > limits.maxEntries) {
    throw refusal(`The file contains ${count} parts; at most ${limits.maxEntries} are allowed.`);
  }
  const entries = new Map<string, Located>();
  let at = offset;
  let inflatedBytes = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || file.readUInt32LE(at) !== centralSignature) throw damaged();
    const next = at + 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
    if (next > end) throw damaged();
    const entry = readEntry(file, at, offset, limits);
    at = next;
    const key = entry.name.toLowerCase();
    if (entries.has(key))
      throw refusal('The file contains two parts of the same name. Save it again in Word.', entry.name);
    inflatedBytes += checkSize(entry, limits);
    if (inflatedBytes > limits.maxInflatedBytes) {
      throw refusal(
        `The file unpacks to more than ${megabytes(limits.maxInflatedBytes)}. Make its pictures or contents smaller.`,
      );
    }
    entries.set(key, entry);
  }
  if (at !== end) throw damaged();
  checkOverlaps([...entries.values()]);
  return entries;
}

function readEntry(file: Buffer, at: number, directory: number, limits: PackageLimits): Located {
  const nameBytes = file.subarray(at + 46, at + 46 + file.readUInt16LE(at + 28));
  const name = readEntryName(nameBytes, limits.maxNameBytes);
  if ((file.readUInt16LE(at + 8) & encryptedFlags) !== 0) {
    throw refusal('The file is encrypted. Remove its password and upload it again.', name);
  }
  const method = file.readUInt16LE(at + 10);
  if (method !== 0 && method !== 8) {
    throw refusal(`The part is compressed with an unknown method (${method}). Save the file again in Word.`, name);
  }
  const [sizeBytes, compressedBytes, start] = readSizes(file, at);
  if (start + 30 > directory || file.readUInt32LE(start) !== localSignature) throw damaged(name);
  const localNameEnd = start + 30 + file.readUInt16LE(start + 26);
  const dataStart = localNameEnd + file.readUInt16LE(start + 28);
  const end = dataStart + compressedBytes;
  if (end > directory) throw damaged(name);
  if (!file.subarray(start + 30, localNameEnd).equals(nameBytes) || file.readUInt16LE(start + 8) !== method) {
    throw refusal('The headers of this part in the file do not match. Open the file in Word and save it again.', name);
  }
  if ((file.readUInt16LE(start + 6) & encryptedFlags) !== 0) {
    throw refusal('The file is encrypted. Remove its password and upload it again.', name);
  }
  return {
    name,
    method,
    crc32: file.readUInt32LE(at + 16),
    sizeBytes,
    data: file.subarray(dataStart, end),
    start,
    end,
  };
}

/** Inflated size, compressed size and local header offset; saturated fields come from the zip64 extra (APPNOTE 4.5.3). */
function readSizes(file: Buffer, at: number): [number, number, number] {
  const values: [number, number, number] = [
    file.readUInt32LE(at + 24),
    file.readUInt32LE(at + 20),
    file.readUInt32LE(at + 42),
  ];
  if (!values.includes(0xffffffff)) return values;
  let extra = at + 46 + file.readUInt16LE(at + 28);
  const extraEnd = extra + file.readUInt16LE(at + 30);
  while (extra + 4 <= extraEnd && file.readUInt16LE(extra) !== 1) extra += 4 + file.readUInt16LE(extra + 2);
  let field = extra + 4;
  return values.map((value) => {
    if (value !== 0xffffffff) return value;
    if (field + 8 > extraEnd) throw damaged();
    field += 8;
    return Number(file.readBigUInt64LE(field - 8));
  }) as [number, number, number];
}

function checkSize({ name, sizeBytes, data }: ZipEntry, limits: PackageLimits): number {
  if (sizeBytes > limits.maxPartBytes) {
    throw refusal(`The part unpacks to more than ${megabytes(limits.maxPartBytes)}. Make it smaller.`, name);
  }
  if (sizeBytes > limits.ratioFreeBytes && sizeBytes > data.length * limits.maxRatio) {
    throw refusal(`The part unpacks to more than ${limits.maxRatio} times its packed size. Make it smaller.`, name);
  }
  return sizeBytes;
}

function checkOverlaps(entries: Located[]): void {
  entries.sort((a, b) => a.start - b.start);
  let end = 0;
  for (const entry of entries) {
    if (entry.start < end) throw refusal('Parts of the file overlap. Save it again in Word.', entry.name);
    end = entry.end;
  }
}

function damaged(part?: string) {
  return refusal('The file is damaged: its table of contents is wrong. Send it again, or save it again in Word.', part);
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e6)} MB`;
}
