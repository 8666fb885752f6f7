import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { shown } from './shown.ts';

beforeAll(loadSvgEngine);

/** Pixels as RGBA. */
const [white, black, transparentWhite] = [0xffffffff, 0x000000ff, 0xffffff00];

describe('a barcode', () => {
  it.each([
    ['{%qr v}', 'https://example.com/', 12],
    ['{%barcode v "ean13"}', '4006381333931', 4],
    ['{%barcode v "code128" | width:"12cm"}', 'ABC-1234', 12],
    ['{%barcode v "datamatrix"}', 'ABC-1234', 4],
  ])('%s shows the border of its table cell through the outermost module, and is white inside', (tag, v, module) => {
    const [picture] = shown(tag, { v });
    const { width, height, data } = PNG.sync.read(picture?.bytes ?? Buffer.alloc(0));
    const [edge, inside] = [new Set<number>(), new Set<number>()];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const isEdge = Math.min(x, y, width - 1 - x, height - 1 - y) < module;
        (isEdge ? edge : inside).add(data.readUInt32BE(4 * (y * width + x)));
      }
    }
    expect([...edge]).toEqual([transparentWhite]);
    expect(inside).toEqual(new Set([white, black]));
  });
});
