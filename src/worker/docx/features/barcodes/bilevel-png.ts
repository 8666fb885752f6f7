import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Writes a black and white PNG (ISO/IEC 15948, one-bit greyscale). */
export function writeBilevelPng(width: number, height: number, isBlack: (x: number, y: number) => boolean): Buffer {
  const rowBytes = 1 + Math.ceil(width / 8);
  const pixels = Buffer.alloc(rowBytes * height, 0xff);
  for (let y = 0; y < height; y++) {
    const start = y * rowBytes;
    pixels[start] = 0;
    for (let x = 0; x < width; x++) {
      if (!isBlack(x, y)) continue;
      const index = start + 1 + (x >> 3);
      pixels[index] = (pixels[index] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND')]);
}

function chunk(kind: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(content.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
