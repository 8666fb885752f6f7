import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** A barcode as pixels, counted from its upper left corner. */
export interface BarcodePixels {
  readonly width: number;
  readonly height: number;
  /** Width of the margin on each side in which pixels that are not black are transparent. */
  readonly edge: number;
  readonly isBlack: (x: number, y: number) => boolean;
}

/** Two bits per pixel, as indexes of the palette: white, black, transparent. */
const [black, transparent] = [1, 2];
const palette = Buffer.from('ffffff000000ffffff', 'hex');
const opacity = Buffer.from('ffff00', 'hex');

/**
 * Writes a PNG (ISO/IEC 15948, palette). The edge of the quiet zone is transparent, so that a barcode at the top of a table cell does
 * not cover the border.
 */
export function writeBarcodePng({ width, height, edge, isBlack }: BarcodePixels): Buffer {
  const rowBytes = 1 + Math.ceil(width / 4);
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const isEdgeRow = y < edge || y >= height - edge;
    const start = y * rowBytes + 1;
    for (let x = 0; x < width; x++) {
      const isEdge = isEdgeRow || x < edge || x >= width - edge;
      const color = isBlack(x, y) ? black : isEdge ? transparent : 0;
      const index = start + (x >> 2);
      if (color > 0) pixels[index] = (pixels[index] ?? 0) | (color << (6 - 2 * (x & 3)));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 2;
  header[9] = 3;
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('tRNS', opacity),
    chunk('IDAT', deflateSync(pixels)),
  ];
  return Buffer.concat([signature, ...chunks, chunk('IEND')]);
}

function chunk(kind: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(content.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
