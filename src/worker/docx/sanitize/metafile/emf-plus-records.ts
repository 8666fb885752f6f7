import { embeddedPixels } from './bitmap-pixels.ts';
import { MetafileDamaged, type MetafileRecord } from './metafile-record.ts';

const headerBytes = 12;
/** Record types of MS-EMFPLUS 2.1.1.1. */
const objectType = 0x4008;
const clips = new Set([0x4031, 0x4032, 0x4033, 0x4034, 0x4035]);
const curves = new Set([0x400e, 0x400f, 0x4010, 0x4011, 0x4012]);
/** Object types, in the flags of an object's record (2.1.1.22), and kinds of pictures (2.1.1.15). */
const picture = 5;
const kinds = { bitmap: 1, metafile: 2 };
/** The object continues in the next record, and the header holds its total size. */
const continues = 0x8000;
const isPacked = 1;

/** An object split over several records, possibly in several comments. */
export interface OpenObject {
  flags: number | undefined;
  parts: Buffer[];
}

/** The EMF+ records in a comment of an EMF (MS-EMFPLUS 2.3). Throws `MetafileDamaged`. */
export function* emfPlusRecords(data: Buffer, open: OpenObject): Generator<MetafileRecord> {
  for (let at = 0; at + headerBytes <= data.length; ) {
    const [type, flags, size] = [data.readUInt16LE(at), data.readUInt16LE(at + 2), data.readUInt32LE(at + 4)];
    const isContinued = type === objectType && (flags & continues) !== 0;
    const start = headerBytes + (isContinued ? 4 : 0);
    if (size < start || at + size > data.length) throw new MetafileDamaged();
    const end = start + data.readUInt32LE(at + start - 4);
    if (end > size) throw new MetafileDamaged();
    if (type === objectType) yield* objectRecords(flags, data.subarray(at + start, at + end), open);
    else yield { clips: clips.has(type) ? 1 : 0, shapes: curves.has(type) ? 1 : 0 };
    at += size;
  }
}

function* objectRecords(flags: number, data: Buffer, open: OpenObject): Generator<MetafileRecord> {
  const identity = flags & ~continues;
  if (open.flags !== identity) open.parts = [];
  open.parts.push(data);
  open.flags = identity;
  yield {};
  if ((flags & continues) !== 0) return;
  if (((flags >> 8) & 0x7f) === picture) yield costOf(Buffer.concat(open.parts));
  open.flags = undefined;
}

/** The cost of drawing a picture object (2.2.1.4). */
function costOf(object: Buffer): MetafileRecord {
  if (object.length < 8) return {};
  const kind = object.readUInt32LE(4);
  if (kind === kinds.metafile && object.length > 16) return { inner: object.subarray(16) };
  if (kind !== kinds.bitmap || object.length < 28) return {};
  const [width, height] = [Math.abs(object.readInt32LE(8)), Math.abs(object.readInt32LE(12))];
  const isCompressed = object.readUInt32LE(24) === isPacked;
  return { pixels: isCompressed ? embeddedPixels(object.subarray(28)) : width * height };
}
