import { deflateRawSync } from 'node:zlib';
import { buildDocx, docxParts } from '../../../support/documents/docx-builder.ts';
import { type RawEntry, type RawZip, rawEntries, rawZip } from './raw-zip.ts';

export const plain = rawEntries(docxParts());

export function withEntry(entry: RawEntry, zip?: RawZip): Buffer {
  return rawZip([...plain, entry], zip);
}

/** The ordinary archive with one field of its main part changed. */
export function withMain(change: Partial<RawEntry>): Buffer {
  return rawZip(plain.map((entry) => (entry.name === 'word/document.xml' ? { ...entry, ...change } : entry)));
}

const bomb = deflateRawSync(Buffer.alloc(60_000_000, 0x20));
const kernel = deflateRawSync(Buffer.alloc(40_000));
/** Archives that attack their reader, each as the attack, the file and the expected error. */
export const archiveAttacks: readonly (readonly [string, () => Uint8Array, RegExp])[] = [
  ['bomb in the main part', () => withMain({ packed: bomb, sizeBytes: 60_000_000 }), /more than 50 MB/],
  ['bomb in a picture', () => withEntry({ name: 'word/media/a.png', packed: bomb, sizeBytes: 60_000_000 }), /50 MB/],
  ['bomb that understates its size', () => withMain({ packed: bomb, sizeBytes: 500 }), /more than the file says/],
  ['bomb that declares no size', () => withMain({ packed: bomb, sizeBytes: 0 }), /more than the file says/],
  ['overstated size', () => withMain({ sizeBytes: 0xfffffff0 }), /more than 50 MB/],
  ['slightly overstated size', () => withMain({ sizeBytes: 5000 }), /size the file says/],
  ['overstated size of a stored part', () => withMain({ method: 0, sizeBytes: 5000 }), /size the file says/],
  ['many parts that are large together', () => rawZip([...plain, ...filler(3, 40_000_000)]), /more than 100 MB/],
  ['extreme ratio', () => withEntry({ name: 'word/a.bin', content: Buffer.alloc(20_000_000) }), /500 times/],
  ['60 000 entries', () => rawZip([...plain, ...filler(60_000, 0)]), /at most 2000/],
  ['2001 entries', () => rawZip([...plain, ...filler(2001 - plain.length, 1)]), /at most 2000/],
  ['entries over one kernel', () => rawZip([...plain, ...overlapping(kernel, 50)]), /do not match|overlap/],
  ['two records for one place', () => withEntry({ name: 'a/', offset: 0 }), /do not match/],
  ['range into the next entry', () => withMain({ compressedBytes: 900 }), /overlap|damaged/],
  ['range into the directory', () => withMain({ compressedBytes: 500_000 }), /damaged/],
  ['place behind the end', () => withMain({ offset: 0x7fffffff }), /damaged/],
  ['place without a header', () => withMain({ offset: 3 }), /damaged/],
  ['another local name', () => withMain({ localName: 'word/documenx.xml' }), /do not match/],
  ['another local method', () => withMain({ localMethod: 0 }), /do not match/],
  ['encrypted entry', () => withMain({ flags: 1 }), /encrypted/],
  ['strong encryption', () => withMain({ flags: 0x41 }), /encrypted/],
  ['encrypted in the local header only', () => withMain({ localFlags: 1 }), /encrypted/],
  ['unknown method', () => withMain({ method: 14, packed: Buffer.from('xx') }), /unknown method \(14\)/],
  ['wrong checksum', () => withMain({ crc: 1 }), /checksum is wrong/],
  ['broken deflate stream', () => withMain({ packed: Buffer.from('ffffffffff', 'hex') }), /cannot be unpacked/],
  ['empty deflate stream', () => withMain({ packed: Buffer.alloc(0) }), /cannot be unpacked/],
  ['the same name twice', () => withEntry({ name: 'word/document.xml', content: '<x/>' }), /same name/],
  ['the same name in another case', () => withEntry({ name: 'WORD/Document.XML', content: '<x/>' }), /same name/],
  ['other bytes first', () => rawZip(plain, { prefix: Buffer.from('MZ some loader') }), /other bytes before/],
  ['wrong entry count, too low', () => rawZip(plain, { end: { count: plain.length - 1 } }), /contents is wrong/],
  ['wrong entry count, too high', () => rawZip(plain, { end: { count: plain.length + 1 } }), /contents is wrong/],
  ['wrong directory place', () => rawZip(plain, { end: { offset: 7 } }), /table of contents is missing/],
  ['several disks', () => rawZip(plain, { end: { disk: 1 } }), /table of contents is missing/],
  ['zip64 without its records', () => rawZip(plain, { end: { count: 0xffff } }), /table of contents is missing/],
  ['zip64 record with a wrong count', () => zip64(plain, 99), /table of contents is wrong/],
  ['zip64 record with a wrong place', () => zip64(plain, plain.length, 1), /table of contents is missing/],
  ['zip64 size without its extra field', () => withMain({ sizeBytes: 0xffffffff }), /table of contents is wrong/],
  ['zip64 size of an exabyte', () => withMain({ sizeBytes: 0xffffffff, centralExtra: extra64(2n ** 60n) }), /50 MB/],
  ['cut off in the middle', () => buildDocx().subarray(0, 900), /damaged or cut off/],
  ['cut off at the end', () => buildDocx().subarray(0, -1), /damaged or cut off/],
];

/** Forbidden entry names, and how the error shows them. */
export const unsafeNames = [
  ['../../x', '../../x'],
  ['word/../../x', 'word/../../x'],
  ['word/./x', 'word/./x'],
  ['/var/x', '/var/x'],
  ['..\\..\\x', '..\\..\\x'],
  ['C:/x', 'C:/x'],
  ['word/a\nb.xml', 'word/a?b.xml'],
  ['word/a\u0000.xml', 'word/a?.xml'],
  ['word/\u202egnp.exe', 'word/?gnp.exe'],
  ['word/\u2066x', 'word/?x'],
  ['__proto__', '__proto__'],
  ['word/__proto__/x', 'word/__proto__/x'],
] as const;

export function* filler(count: number, sizeBytes: number): Generator<RawEntry> {
  const content = Buffer.alloc(sizeBytes);
  const packed = sizeBytes > 1000 ? Buffer.concat([deflateRawSync(content), Buffer.alloc(sizeBytes / 400)]) : content;
  for (let i = 0; i < count; i++) yield { name: `f/${i}`, content, packed, method: sizeBytes > 1000 ? 8 : 0 };
}

function* overlapping(kernel: Buffer, count: number): Generator<RawEntry> {
  yield { name: 'k', packed: kernel, sizeBytes: 40_000 };
  for (let i = 0; i < count; i++)
    yield { name: `k${i}`, packed: Buffer.alloc(0), compressedBytes: kernel.length, offset: 0 };
}

export function extra64(value: bigint): Buffer {
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(value, 4);
  return extra;
}

export function zip64(entries: RawEntry[], claimed: number, shift = 0): Buffer {
  return rawZip(entries, {
    end: { count: 0xffff, size: 0xffffffff, offset: 0xffffffff },
    beforeEnd({ offset, size }) {
      const record = Buffer.alloc(76);
      record.writeUInt32LE(0x06064b50, 0);
      record.writeBigUInt64LE(44n, 4);
      record.writeBigUInt64LE(BigInt(claimed), 24);
      record.writeBigUInt64LE(BigInt(claimed), 32);
      record.writeBigUInt64LE(BigInt(size), 40);
      record.writeBigUInt64LE(BigInt(offset + shift), 48);
      record.writeUInt32LE(0x07064b50, 56);
      record.writeBigUInt64LE(BigInt(offset + size), 64);
      record.writeUInt32LE(1, 72);
      return record;
    },
  });
}
