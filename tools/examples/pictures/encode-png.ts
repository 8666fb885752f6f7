import { crc32 } from 'node:zlib';
import PizZip from 'pizzip';

export type Pixels = { readonly widthPx: number; readonly heightPx: number; readonly pixels: Buffer };

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const filterUp = 2;

/** Encodes RGBA pixels, row by row from the top, as PNG (ISO/IEC 15948). */
export function encodePng(image: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.widthPx, 0);
  header.writeUInt32BE(image.heightPx, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', zlibStream(filteredRows(image))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function filteredRows({ widthPx, heightPx, pixels }: Pixels): Buffer {
  const stride = widthPx * 4;
  const rows = Buffer.alloc((stride + 1) * heightPx);
  for (let row = 0; row < heightPx; row++) {
    const start = row * (stride + 1);
    rows[start] = filterUp;
    for (let index = 0; index < stride; index++) {
      const above = row === 0 ? 0 : (pixels[(row - 1) * stride + index] ?? 0);
      rows[start + 1 + index] = (pixels[row * stride + index] ?? 0) - above;
    }
  }
  return rows;
}

/** Compresses with PizZip's own code, because the output of Node's zlib differs between processors. */
function zlibStream(content: Buffer): Buffer {
  const archive = new PizZip().file('x', content).generate({ type: 'nodebuffer', compression: 'DEFLATE' });
  const localHeaderBytes = 30 + archive.readUInt16LE(26) + archive.readUInt16LE(28);
  const deflated = archive.subarray(localHeaderBytes, localHeaderBytes + archive.readUInt32LE(18));
  const check = Buffer.alloc(4);
  check.writeUInt32BE(adler32(content));
  return Buffer.concat([Buffer.from([0x78, 0x9c]), deflated, check]);
}

function adler32(content: Buffer): number {
  let low = 1;
  let high = 0;
  for (const byte of content) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
