import { damaged, type PictureReading } from './picture-info.ts';

export function readGif(bytes: Buffer): PictureReading {
  if (bytes.length < 14 || bytes.lastIndexOf(0x3b) < 13) return damaged;
  const [widthPx, heightPx] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  return { type: 'gif', widthPx, heightPx, dpi: undefined };
}
