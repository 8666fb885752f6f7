import { type Orientation, readOrientation } from './orientation.ts';
import { believable, damaged, type PictureReading } from './picture-info.ts';

const endOfImage = Buffer.from([0xff, 0xd9]);

/** Walks the segments of a JPEG (ITU-T T.81, B.1) up to its frame header without decoding it. */
export function readJpeg(bytes: Buffer): PictureReading {
  if (!bytes.includes(endOfImage, 2)) return damaged;
  let dpi: number | undefined;
  let orientation: Orientation | undefined;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return damaged;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const size = bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at + 4, at + 2 + size);
    if (size < 2 || segment.length !== size - 2 || marker === 0xda) return damaged;
    if (marker === 0xe0) dpi = densityOf(segment) ?? dpi;
    if (marker === 0xe1) orientation ??= readOrientation(bytes, at + 4, at + 2 + size);
    if (isFrame(marker)) {
      if (segment.length < 6) return damaged;
      return { type: 'jpeg', widthPx: segment.readUInt16BE(3), heightPx: segment.readUInt16BE(1), dpi, orientation };
    }
    at += 2 + size;
  }
  return damaged;
}

/** SOF0 to SOF15, without the table markers in that range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** JFIF 1.02: unit 1 is dots per inch, unit 2 dots per centimetre. */
function densityOf(segment: Buffer): number | undefined {
  if (segment.length < 14 || segment.toString('latin1', 0, 5) !== 'JFIF\0') return undefined;
  const unit = segment[7];
  const density = segment.readUInt16BE(8);
  if (unit !== 1 && unit !== 2) return undefined;
  return believable(unit === 1 ? density : density * 2.54);
}
