import { dibPixels } from './bitmap-pixels.ts';
import { emfPlusRecords, type OpenObject } from './emf-plus-records.ts';
import { MetafileDamaged, type MetafileRecord } from './metafile-record.ts';

const headerBytes = 88;
const signature = Buffer.from(' EMF');

/** Recognises an EMF by its first 44 bytes. */
export function isEmf(head: Buffer): boolean {
  return head.length >= 44 && head.readUInt32LE(0) === 1 && head.subarray(40, 44).equals(signature);
}

/** Record types of MS-EMF 2.1.1. */
const types = { eof: 14, comment: 70 };
/** Curves, which are drawn as polygons: EMR_ANGLEARC, ELLIPSE, ROUNDRECT, ARC, CHORD, PIE, ARCTO. */
const curves = new Set([41, 42, 44, 45, 46, 47, 55]);
/** EMR_OFFSETCLIPRGN, EXCLUDECLIPRECT, INTERSECTCLIPRECT, SELECTCLIPPATH, EXTSELECTCLIPRGN. */
const clips = new Set([26, 29, 30, 67, 75]);
const pointCountAt = 24;
/**
 * Bytes per point of EMR_POLYBEZIER, POLYGON, POLYLINE, POLYBEZIERTO, POLYLINETO, POLYDRAW and their 16-bit variants.
 */
const lines: ReadonlyMap<number, number> = new Map([
  ...[2, 3, 4, 5, 6, 56].map((type) => [type, 8] as const),
  ...[85, 86, 87, 88, 89, 92].map((type) => [type, 4] as const),
]);
/**
 * Bytes per point of EMR_POLYPOLYLINE and POLYPOLYGON, which begin with the number of lines and of the points in each.
 */
const manyLines: ReadonlyMap<number, number> = new Map([
  ...[7, 8].map((type) => [type, 8] as const),
  ...[90, 91].map((type) => [type, 4] as const),
]);
/** Positions in a record that hold the offset of its bitmap's header, and of its mask's. */
const bitmaps: ReadonlyMap<number, readonly number[]> = new Map([
  [76, [84]], // EMR_BITBLT
  [77, [84]], // EMR_STRETCHBLT
  [78, [84, 112]], // EMR_MASKBLT
  [79, [96, 124]], // EMR_PLGBLT
  [80, [48]], // EMR_SETDIBITSTODEVICE
  [81, [48]], // EMR_STRETCHDIBITS
  [93, [16]], // EMR_CREATEMONOBRUSH
  [94, [16]], // EMR_CREATEDIBPATTERNBRUSHPT
  [95, [12]], // EMR_EXTCREATEPEN
  [114, [84]], // EMR_ALPHABLEND
  [116, [84]], // EMR_TRANSPARENTBLT
]);

/** The records of an EMF (MS-EMF 2.3) up to its end. Throws `MetafileDamaged`. */
export function* emfRecords(file: Buffer): Generator<MetafileRecord> {
  if (file.length < headerBytes) throw new MetafileDamaged();
  const open: OpenObject = { flags: undefined, parts: [] };
  for (let at = 0; at + 8 <= file.length; ) {
    const [type, size] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
    if (size < 8 || at + size > file.length) throw new MetafileDamaged();
    const record = file.subarray(at, at + size);
    if (type === types.comment) yield* commentRecords(record, open);
    else yield costOf(type, record);
    if (type === types.eof) return;
    at += size;
  }
}

function costOf(type: number, record: Buffer): MetafileRecord {
  if (curves.has(type)) return { shapes: 1 };
  if (clips.has(type)) return { clips: 1 };
  const [bytes, bytesOfMany] = [lines.get(type), manyLines.get(type)];
  if (bytes !== undefined) return { points: countPoints(record, bytes) };
  if (bytesOfMany !== undefined) return { points: countManyPoints(record, bytesOfMany) };
  const headers = bitmaps.get(type) ?? [];
  return { pixels: headers.reduce((sum, at) => sum + bitmapAt(record, at), 0) };
}

function countPoints(record: Buffer, bytes: number): number {
  const from = pointCountAt + 4;
  if (from > record.length) throw new MetafileDamaged();
  const count = record.readUInt32LE(pointCountAt);
  if (from + count * bytes > record.length) throw new MetafileDamaged();
  return count;
}

function countManyPoints(record: Buffer, bytes: number): number {
  if (pointCountAt + 8 > record.length) throw new MetafileDamaged();
  const [lineCount, count] = [record.readUInt32LE(pointCountAt), record.readUInt32LE(pointCountAt + 4)];
  if (pointCountAt + 8 + lineCount * 4 + count * bytes > record.length) throw new MetafileDamaged();
  return count;
}

/** The number of pixels of a record's bitmap. A record without a bitmap gives its size as 0. */
function bitmapAt(record: Buffer, at: number): number {
  if (at + 8 > record.length) return 0;
  const [offset, size] = [record.readUInt32LE(at), record.readUInt32LE(at + 4)];
  return size === 0 ? 0 : dibPixels(record, offset);
}

const commentKinds = { plus: 'EMF+', public: 'GDIC' };

/** Reads EMR_COMMENT (MS-EMF 2.3.3), which holds EMF+ records or a picture in other formats. */
function* commentRecords(record: Buffer, open: OpenObject): Generator<MetafileRecord> {
  yield {};
  if (record.length < 16) return;
  const dataBytes = record.readUInt32LE(8);
  if (12 + dataBytes > record.length) throw new MetafileDamaged();
  const data = record.subarray(12, 12 + dataBytes);
  const kind = data.toString('latin1', 0, 4);
  if (kind === commentKinds.plus) yield* emfPlusRecords(data.subarray(4), open);
  // EMR_COMMENT_WINDOWS_METAFILE: the same picture as WMF.
  if (kind === commentKinds.public && data.length > 24) yield { inner: data.subarray(24) };
}
