import { dibPixels } from './bitmap-pixels.ts';
import { MetafileDamaged, type MetafileRecord } from './metafile-record.ts';

const placeableBytes = 22;
const headerBytes = 18;
const placeable = Buffer.from('d7cdc69a', 'hex');

/**
 * Recognises a WMF by its first bytes: a placeable header (MS-WMF 2.3.2.3), or the header of a metafile in memory or on
 * disk (2.3.2.2).
 */
export function isWmf(head: Buffer): boolean {
  if (head.length < headerBytes) return false;
  if (head.subarray(0, 4).equals(placeable)) return true;
  // LibreOffice does not check the version.
  const [type, headerWords] = [head.readUInt16LE(0), head.readUInt16LE(2)];
  return (type === 1 || type === 2) && headerWords === 9;
}

/** Functions of MS-WMF 2.1.1.1. */
const functions = { end: 0x0000, escape: 0x0626, polyPolygon: 0x0538 };
/** META_OFFSETCLIPRGN, INTERSECTCLIPRECT, EXCLUDECLIPRECT, SELECTCLIPREGION. */
const clips = new Set([0x0220, 0x0416, 0x0415, 0x012c]);
/** META_ELLIPSE, ROUNDRECT, ARC, PIE, CHORD. */
const curves = new Set([0x0418, 0x061c, 0x0817, 0x081a, 0x0830]);
/** META_POLYGON, POLYLINE. */
const polygons = new Set([0x0324, 0x0325]);
/**
 * Bytes before the bitmap header in META_DIBBITBLT, DIBSTRETCHBLT, STRETCHDIB, SETDIBTODEV and DIBCREATEPATTERNBRUSH.
 */
const bitmaps: ReadonlyMap<number, number> = new Map([
  [0x0940, 22],
  [0x0b41, 26],
  [0x0f43, 28],
  [0x0d33, 24],
  [0x0142, 10],
]);

/** The records of a WMF up to its end. Throws `MetafileDamaged`. */
export function* wmfRecords(file: Buffer): Generator<MetafileRecord> {
  const start = file.subarray(0, 4).equals(placeable) ? placeableBytes : 0;
  if (file.length < start + headerBytes) throw new MetafileDamaged();
  const embedded: Buffer[] = [];
  for (let at = start + headerBytes; at + 6 <= file.length; ) {
    const [size, kind] = [file.readUInt32LE(at) * 2, file.readUInt16LE(at + 4)];
    if (size < 6 || at + size > file.length) throw new MetafileDamaged();
    const record = file.subarray(at, at + size);
    if (kind === functions.escape) embedded.push(...embeddedMetafile(record));
    yield costOf(kind, record);
    if (kind === functions.end) break;
    at += size;
  }
  if (embedded.length > 0) yield { inner: Buffer.concat(embedded) };
}

function costOf(kind: number, record: Buffer): MetafileRecord {
  if (curves.has(kind)) return { shapes: 1 };
  if (clips.has(kind)) return { clips: 1 };
  if (polygons.has(kind)) return { points: countPoints(record, 6, 8) };
  if (kind === functions.polyPolygon) return { points: countPolygons(record) };
  const header = bitmaps.get(kind);
  // A shorter record copies from the page and has no bitmap.
  return { pixels: header === undefined || record.length < header + 16 ? 0 : dibPixels(record, header) };
}

function countPoints(record: Buffer, at: number, from: number): number {
  if (record.length < from) throw new MetafileDamaged();
  const count = record.readUInt16LE(at);
  if (from + count * 4 > record.length) throw new MetafileDamaged();
  return count;
}

function countPolygons(record: Buffer): number {
  if (record.length < 8) throw new MetafileDamaged();
  const polygonCount = record.readUInt16LE(6);
  const from = 8 + polygonCount * 2;
  if (from > record.length) throw new MetafileDamaged();
  let count = 0;
  for (let at = 8; at < from; at += 2) count += record.readUInt16LE(at);
  if (from + count * 4 > record.length) throw new MetafileDamaged();
  return count;
}

const enhanced = { escape: 15, id: 0x43464d57, headerBytes: 44 };

/** A chunk of an EMF in META_ESCAPE_ENHANCED_METAFILE (2.3.6.25). Readers prefer the EMF to the WMF around it. */
function embeddedMetafile(record: Buffer): Buffer[] {
  if (record.length < enhanced.headerBytes || record.readUInt16LE(6) !== enhanced.escape) return [];
  return record.readUInt32LE(10) === enhanced.id ? [record.subarray(enhanced.headerBytes)] : [];
}
