import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** A black and white PNG of square modules, each so many pixels wide. True is black. */
export function writeBilevelPng(modules: readonly (readonly boolean[])[], pixelsPerModule: number): Buffer {
  const width = (modules[0]?.length ?? 0) * pixelsPerModule;
  const height = modules.length * pixelsPerModule;
  const rowBytes = 1 + Math.ceil(width / 8);
  const pixels = Buffer.alloc(rowBytes * height);
  for (const [y, row] of modules.entries()) {
    const line = Buffer.alloc(rowBytes, 0xff);
    line[0] = 0;
    for (const [x, isBlack] of row.entries()) {
      if (!isBlack) continue;
      for (let at = x * pixelsPerModule; at < (x + 1) * pixelsPerModule; at++) {
        const index = 1 + (at >> 3);
        line[index] = (line[index] ?? 0) & ~(0x80 >> (at & 7));
      }
    }
    for (let copy = 0; copy < pixelsPerModule; copy++) line.copy(pixels, (y * pixelsPerModule + copy) * rowBytes);
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
