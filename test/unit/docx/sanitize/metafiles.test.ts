import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { clean, picture } from './clean.ts';
import {
  comment,
  emf,
  emfRecord,
  plusBitmap,
  plusContinues,
  plusMetafile,
  plusObject,
  plusPicture,
  plusRecord,
  polyline,
  stretchedBitmap,
  wmf,
  wmfBitmap,
  wmfEnhanced,
  wmfRecord,
  words,
} from './metafile-records.ts';

function codesOf(content: Uint8Array, name: string): readonly string[] {
  const { codes, docx } = clean({
    parts: { [`word/media/${name}`]: content },
    body: picture('r:embed="rX"'),
    rels: [{ id: 'rX', type: 'image', target: `media/${name}` }],
  });
  expect(docx.partNames.includes(`word/media/${name}`)).toBe(codes.length === 0);
  return codes;
}

const many = (count: number, record: Uint8Array): Buffer => Buffer.concat(Array.from({ length: count }, () => record));
const zeros = (count: number): number[] => Array(count).fill(0);
const rectangle = emfRecord(43, words(0, 0, 9, 9));
const ellipse = emfRecord(42, words(0, 0, 9, 9));
const clip = emfRecord(30, words(0, 0, 9, 9));
const wmfEllipse = wmfRecord(0x0418, Buffer.alloc(8));
const pngOf = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), size, Buffer.alloc(30)]);
};
const huge = emf(stretchedBitmap(20_000, 20_000));
const nested = (depth: number): Buffer =>
  depth === 0
    ? emf(rectangle)
    : emf(comment('EMF+', plusRecord({ type: plusObject, flags: plusPicture }, plusMetafile(nested(depth - 1)))));
/** Splits a picture into two records, each in a comment of its own. */
function divided(object: Buffer): Buffer {
  const [first, rest] = [object.subarray(0, 10), object.subarray(10)];
  const flags = plusPicture | plusContinues;
  return emf(
    comment('EMF+', plusRecord({ type: plusObject, flags, totalBytes: object.length }, first)),
    comment('EMF+', plusRecord({ type: plusObject, flags: plusPicture }, rest)),
  );
}
function otherVersion(file: Buffer): Buffer {
  file.writeUInt16LE(0x0500, 4);
  return file;
}
const plus = (object: Buffer): Buffer =>
  emf(comment('EMF+', plusRecord({ type: plusObject, flags: plusPicture }, object)));

it.each<[string, Buffer]>([
  ['an EMF', emf(rectangle, ellipse, clip, polyline(100), stretchedBitmap(1_000, 1_000))],
  ['with a thousand shapes', emf(many(1_000, ellipse))],
  ['with bytes after its end', Buffer.concat([emf(rectangle), Buffer.alloc(16)])],
  ['with records after its end', Buffer.concat([emf(rectangle), many(10, words(1, 3))])],
  ['with a copy of the page, which has no bitmap', emf(emfRecord(76, Buffer.alloc(92)))],
  ['with an empty comment', emf(emfRecord(70, words(0)))],
  ['with a comment of another program', emf(emfRecord(70, Buffer.concat([words(8), Buffer.from('CADxxxxx')])))],
  ['an EMF+ with a picture', plus(plusBitmap(100, 100))],
  ['an EMF+ with a PNG', plus(plusBitmap(0, 0, pngOf(1_000, 1_000)))],
  ['an EMF+ with a picture in two records', divided(plusBitmap(100, 100))],
  ['an EMF+ with a metafile', nested(1)],
  ['an EMF+ with a metafile in two records', divided(plusMetafile(emf(rectangle)))],
  ['a WMF', wmf([wmfEllipse, wmfBitmap(100, 100)])],
  ['a WMF without a placeable header', wmf([wmfEllipse], false)],
  ['a WMF with an EMF', wmf([wmfEnhanced(emf(rectangle).subarray(0, 50)), wmfEnhanced(emf(rectangle).subarray(50))])],
])('a metafile that LibreOffice can draw stays: %s', (_, content) => {
  expect(codesOf(content, 'a.emf')).toEqual([]);
  expect(codesOf(gzipSync(content), 'a.emz')).toEqual([]);
});

describe('a metafile whose drawing would not end is removed', () => {
  it.each<[string, Buffer]>([
    ['a huge bitmap packed into a few bytes', huge],
    ['a bitmap of the largest size', emf(stretchedBitmap(0x7fffffff, 0x7fffffff))],
    ['a bitmap from bottom to top', emf(stretchedBitmap(20_000, -20_000))],
    ['many large bitmaps', emf(many(6, stretchedBitmap(3_000, 3_000)))],
    ['a brush of a huge bitmap', emf(emfRecord(94, words(1, 0, 32, 40, 0, 1, 40, 20_000, 20_000, 0, 0)))],
    ['too many records', emf(many(200_001, emfRecord(33)))],
    ['too many curves', emf(many(20_001, ellipse))],
    ['too many clips', emf(many(1_001, clip))],
    ['too many points', emf(many(6, polyline(100_000)))],
    ['more points than the record has', emf(polyline(0x0fffffff, 10))],
    ['more lines than the record has', emf(emfRecord(8, words(0, 0, 9, 9, 0x3fffffff, 1, 1)))],
    ['a bitmap outside of its record', emf(emfRecord(81, words(...zeros(10), 0x7fffff00, 40, ...zeros(4))))],
    ['a record of no bytes', Buffer.concat([emf().subarray(0, 108), words(43, 0)])],
    ['a record larger than the file', Buffer.concat([emf().subarray(0, 108), words(43, 0x7ffffff0), Buffer.alloc(16)])],
    ['a header alone', emf().subarray(0, 60)],
    ['a huge bitmap of EMF+', plus(plusBitmap(20_000, 20_000))],
    ['a huge PNG in EMF+', plus(plusBitmap(1, 1, pngOf(20_000, 20_000)))],
    ['a huge PNG in EMF+, in two records', divided(plusBitmap(1, 1, pngOf(20_000, 20_000)))],
    ['a record of EMF+ larger than its comment', emf(comment('EMF+', words(plusObject, 0x7fffff00, 4)))],
    ['a huge bitmap in a metafile of EMF+', plus(plusMetafile(huge))],
    ['metafiles in metafiles', nested(3)],
    ['a huge bitmap of a WMF', wmf([wmfBitmap(20_000, 20_000)])],
    ['a huge bitmap of a WMF without a placeable header', wmf([wmfBitmap(20_000, 20_000)], false)],
    ['a WMF of another version', otherVersion(wmf([wmfBitmap(20_000, 20_000)], false))],
    ['too many curves of a WMF', wmf([many(20_001, wmfEllipse)])],
    ['more points than the record of a WMF has', wmf([wmfRecord(0x0324, Buffer.from([0xff, 0xff, 0, 0]))])],
    ['more polygons than the record of a WMF has', wmf([wmfRecord(0x0538, Buffer.from([0xff, 0xff, 0, 0]))])],
    ['a record of a WMF of no bytes', Buffer.concat([wmf([]).subarray(0, 40), Buffer.alloc(5, 1), Buffer.alloc(9)])],
    ['a huge bitmap in an EMF of a WMF', wmf([wmfEnhanced(huge.subarray(0, 99)), wmfEnhanced(huge.subarray(99))])],
  ])('%s', (_, content) => {
    expect(codesOf(content, 'a.emf')).toEqual(['unsafe_picture']);
    expect(codesOf(gzipSync(content), 'a.emz')).toEqual(['unsafe_picture']);
  });

  it.each(['a.wmf', 'a.png', 'a'])('%s, whatever the name of the file', (name) => {
    for (const content of [huge, wmf([wmfBitmap(20_000, 20_000)])])
      expect(codesOf(content, name)).toEqual(['unsafe_picture']);
  });
});
