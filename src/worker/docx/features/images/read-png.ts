import { believable, damaged, type PictureReading } from './picture-info.ts';

/** Walks the chunks of a PNG (ISO/IEC 15948, 5.3) to its end; nothing is decoded. */
export function readPng(bytes: Buffer): PictureReading {
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
