import { inflateSync } from 'node:zlib';
import { UnknownFeature } from '@docmill/layout';
import jpeg from 'jpeg-js';
import {
  dictionaryOf,
  inflatedStreamOf,
  type PdfFile,
  type PdfObject,
  type PdfObjects,
  streamOf,
} from '../pdf-file.ts';
import { type Pixels, shrink } from './shrink.ts';

/** The resolution to which LibreOffice reduces pictures if a request sets `imageQuality`. */
const mostDotsPerInch = 300;
const pointsPerInch = 72;
const maxContentBytes = 64 * 1024 * 1024;
const maxJpegMegabytes = 400;
/** Of all pictures of a file: more take seconds to decode and encode, up to the time limit of the process. */
const mostPixels = 8_000_000;

/**
 * Stores the pictures of a file of direct layout as JPEGs of this quality (1 to 100), with at most 300 dots per inch.
 * Pictures that would not become smaller stay as they are. Throws UnknownFeature for a picture that cannot be decoded,
 * and for too many pixels.
 */
export function compressPictures(file: PdfFile, quality: number): PdfFile {
  const objects = new Map(file.objects.map((object) => [object.number, object]));
  const shown = findShownSizes(file.objects, objects);
  const pixels = file.objects.reduce((sum, object) => sum + (shown.has(object.number) ? pixelsOf(object) : 0), 0);
  if (pixels > mostPixels) throw new UnknownFeature('large pictures whose quality is to be changed');
  const compressed = file.objects.map((object) => {
    const size = shown.get(object.number);
    return size === undefined ? object : compress(object, objects, { size, quality });
  });
  return { ...file, objects: compressed };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Matches the operators with which direct layout draws a picture: its full size in points, and its object number. */
const drawing = /(-?[\d.]+) 0 0 (-?[\d.]+) -?[\d.]+ -?[\d.]+ cm \/P(\d+) Do/g;

/** The largest size at which each picture is drawn, in points, by object number. */
function findShownSizes(all: readonly PdfObject[], objects: PdfObjects): ReadonlyMap<number, Size> {
  const sizes = new Map<number, Size>();
  for (const object of all) {
    // Content streams of pages have no /Type.
    if (/\/(?:Type|Length1)\b/.test(dictionaryOf(object))) continue;
    const content = inflatedStreamOf(object, objects, maxContentBytes)?.toString('latin1') ?? '';
    for (const [, width, height, picture] of content.matchAll(drawing)) {
      const known = sizes.get(Number(picture));
      sizes.set(Number(picture), {
        width: Math.max(Math.abs(Number(width)), known?.width ?? 0),
        height: Math.max(Math.abs(Number(height)), known?.height ?? 0),
      });
    }
  }
  return sizes;
}

/** The size of a picture in pixels. */
function sizeOf(dictionary: string): Size {
  const [width = 0, height = 0] = [/\/Width (\d+)/, /\/Height (\d+)/].map((entry) =>
    Number(entry.exec(dictionary)?.[1] ?? 0),
  );
  return { width, height };
}

function pixelsOf(object: PdfObject): number {
  const { width, height } = sizeOf(dictionaryOf(object));
  return width * height;
}

interface Target {
  /** In points. */
  readonly size: Size;
  readonly quality: number;
}

function compress(object: PdfObject, objects: PdfObjects, { size, quality }: Target): PdfObject {
  const dictionary = dictionaryOf(object);
  const stored = streamOf(object, objects);
  const pixels = stored && readPixels(dictionary, stored);
  if (stored === undefined || pixels === undefined) return object;
  const dots = (points: number): number => Math.max(1, Math.round((points / pointsPerInch) * mostDotsPerInch));
  const small = shrink(pixels, { width: dots(size.width), height: dots(size.height) });
  const encoded = jpeg.encode(small, quality).data;
  if (encoded.length >= stored.length) return object;
  const changed = dictionary
    .replace(/\/Width \d+/, `/Width ${small.width}`)
    .replace(/\/Height \d+/, `/Height ${small.height}`)
    .replace(/\/ColorSpace \/Device\w+/, '/ColorSpace /DeviceRGB')
    .replace(/\/Filter \/\w+/, '/Filter /DCTDecode')
    .replace(/\/Length \d+/, `/Length ${encoded.length}`);
  const pieces = [Buffer.from(changed, 'latin1'), encoded, Buffer.from('\nendstream\nendobj\n\n')];
  return { number: object.number, bytes: Buffer.concat(pieces) };
}

/** The pixels of a picture that direct layout has embedded. */
function readPixels(dictionary: string, stored: Buffer): Pixels | undefined {
  if (dictionary.includes('/Filter /DCTDecode')) return decodeJpeg(stored);
  const { width, height } = sizeOf(dictionary);
  if (!dictionary.includes('/ColorSpace /DeviceRGB') || width * height === 0) return undefined;
  const colors = inflateSync(stored, { maxOutputLength: width * height * 3 });
  const data = Buffer.alloc(width * height * 4, 0xff);
  for (let pixel = 0; pixel < width * height; pixel++) colors.copy(data, pixel * 4, pixel * 3, pixel * 3 + 3);
  return { width, height, data };
}

function decodeJpeg(stored: Buffer): Pixels {
  try {
    const limits = { maxMemoryUsageInMB: maxJpegMegabytes, maxResolutionInMP: mostPixels / 1_000_000 };
    return jpeg.decode(stored, { ...limits, formatAsRGBA: true });
  } catch {
    throw new UnknownFeature('a JPEG whose quality cannot be changed');
  }
}
