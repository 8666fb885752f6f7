import { MetafileDamaged } from './metafile-record.ts';

const coreHeaderBytes = 12;

/** The number of pixels of a device-independent bitmap (MS-WMF 2.2.2.9) once unpacked. Its header begins at `at`. */
export function dibPixels(bytes: Buffer, at: number): number {
  if (at + coreHeaderBytes > bytes.length) throw new MetafileDamaged();
  const isCore = bytes.readUInt32LE(at) === coreHeaderBytes;
  if (!isCore && at + 16 > bytes.length) throw new MetafileDamaged();
  const [width, height] = isCore
    ? [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)]
    : [Math.abs(bytes.readInt32LE(at + 4)), Math.abs(bytes.readInt32LE(at + 8))];
  return width * height;
}

/** The number of pixels of an embedded PNG, JPEG or GIF; 0 for other content. */
export function embeddedPixels(bytes: Buffer): number {
  const head = bytes.toString('latin1', 0, 8);
  if (head === '\x89PNG\r\n\x1a\n' && bytes.length >= 24) return bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
  if (/^GIF8[79]a/.test(head) && bytes.length >= 10) return bytes.readUInt16LE(6) * bytes.readUInt16LE(8);
  if (head.startsWith('BM') && bytes.length >= 30) return dibPixels(bytes, 14);
  return head.startsWith('\xff\xd8\xff') ? jpegPixels(bytes) : 0;
}

/** The number of pixels in the largest frame of a JPEG (ITU-T T.81, B.2.2), read from its segments. */
function jpegPixels(bytes: Buffer): number {
  let pixels = 0;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const kind = bytes[at + 1] ?? 0;
    const isFrame = kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);
    if (isFrame) pixels = Math.max(pixels, bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7));
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return pixels;
}
