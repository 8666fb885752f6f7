import { svgContent } from '../../../package/svg-content.ts';
import { pictureLimits } from '../picture-limits.ts';
import { believable, damaged, type PictureReading } from './picture-info.ts';
import { readJpeg } from './read-jpeg.ts';

const send = 'send it as PNG, JPEG, GIF or SVG';

/** Known but unsupported formats: bytes (in hex) at an offset. */
const rejectedKinds: readonly (readonly [offset: number, hex: string, name: string])[] = [
  [8, '57454250', 'a WebP picture'],
  [4, '6674797068656963', 'a HEIC picture'],
  [4, '6674797068656978', 'a HEIC picture'],
  [4, '667479706d696631', 'a HEIC picture'],
  [4, '6674797061766966', 'an AVIF picture'],
  [0, '49492a00', 'a TIFF picture'],
  [0, '4d4d002a', 'a TIFF picture'],
  [0, '424d', 'a bitmap (BMP)'],
  [0, '00000100', 'an icon (ICO)'],
  [0, '255044462d', 'a PDF'],
  [0, '2521', 'PostScript'],
  [0, 'c5d0d3c6', 'PostScript'],
  [0, 'd7cdc69a', 'a Windows metafile (WMF)'],
  [40, '20454d46', 'a Windows metafile (EMF)'],
  [0, '504b0304', 'a zip archive'],
];

/** Identifies a picture by its bytes. An SVG is recognised but not read. The problem completes "the value …". */
export function readPicture(bytes: Buffer): PictureReading | { readonly type: 'svg' } {
  if (bytes.length > pictureLimits.bytes) {
    return { problem: `is a picture of more than ${pictureLimits.bytes / 1024 / 1024} MB` };
  }
  const reading = readBitmap(bytes);
  if (reading === undefined) return isSvg(bytes) ? { type: 'svg' } : { problem: problemOf(bytes) };
  if ('problem' in reading) return reading;
  const { widthPx, heightPx } = reading;
  if (widthPx < 1 || heightPx < 1) return { problem: 'is a damaged picture' };
  if (widthPx * heightPx > pictureLimits.pixels) {
    return { problem: `is a picture of more than ${pictureLimits.pixels / 1_000_000} million pixels` };
  }
  return reading;
}

function readBitmap(bytes: Buffer): PictureReading | undefined {
  const head = bytes.toString('latin1', 0, 8);
  if (head === '\x89PNG\r\n\x1a\n') return readPng(bytes);
  if (head.startsWith('\xff\xd8\xff')) return readJpeg(bytes);
  return /^GIF8[79]a/.test(head) ? readGif(bytes) : undefined;
}

function isSvg(bytes: Buffer): boolean {
  const part = { name: 'picture', head: bytes.subarray(0, 64), readAll: () => bytes };
  try {
    const svg = svgContent(part, pictureLimits.bytes);
    return svg !== undefined && /<(?:[\w-]+:)?svg[\s>]/.test(svg.toString('latin1', 0, 4096));
  } catch {
    return false;
  }
}

function problemOf(bytes: Buffer): string {
  const head = bytes.subarray(0, 64);
  const known = rejectedKinds.find(([offset, hex]) => head.toString('hex', offset, offset + hex.length / 2) === hex);
  return known === undefined ? `is not a supported picture format; ${send}` : `is ${known[2]}; ${send}`;
}

function readGif(bytes: Buffer): PictureReading {
  if (bytes.length < 14 || bytes.lastIndexOf(0x3b) < 13) return damaged;
  const [widthPx, heightPx] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  return { type: 'gif', widthPx, heightPx, dpi: undefined };
}

/** Walks the chunks of a PNG (ISO/IEC 15948, 5.3) to its end without decoding it. */
function readPng(bytes: Buffer): PictureReading {
  if (bytes.length < 45 || bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes.readUInt32BE(8) !== 13) return damaged;
  let dpi: number | undefined;
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (at + 12 + size > bytes.length) return damaged;
    if (kind === 'IDAT') hasData = true;
    if (kind === 'pHYs' && size === 9 && bytes[at + 16] === 1) dpi = believable(bytes.readUInt32BE(at + 8) * 0.0254);
    if (kind === 'IEND') {
      if (!hasData) return damaged;
      const [widthPx, heightPx] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
      return { type: 'png', widthPx, heightPx, dpi };
    }
    at += 12 + size;
  }
  return damaged;
}
