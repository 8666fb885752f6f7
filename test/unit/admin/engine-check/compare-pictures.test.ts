import { PNG } from 'pngjs';
import { expect, it } from 'vitest';
import { comparePictures } from '../../../../src/admin/engine-check/compare/compare-pictures.ts';
import { defaultRules, parseRules } from '../../../../src/admin/engine-check/rules.ts';

/** A white page of 200 × 100 pixels with a black box. */
function picture({ x, y, size }: { x: number; y: number; size: number }, width = 200): Buffer {
  const png = new PNG({ width, height: 100 });
  png.data.fill(0xff);
  for (let row = y; row < y + size; row++) {
    for (let column = x; column < x + size; column++)
      png.data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  }
  return PNG.sync.write(png);
}

const box = { x: 20, y: 20, size: 20 };
const page = { page: 1, dpi: 72, masks: [] };

it('pictures of a page are equal or differ by a share of its pixels', () => {
  expect(comparePictures(picture(box), picture(box), page)).toEqual({ share: 0, difference: undefined });
  const { share, difference } = comparePictures(picture(box), picture({ ...box, x: 100 }), page);
  expect(share).toBeCloseTo(800 / 20_000, 2);
  expect(PNG.sync.read(difference ?? Buffer.alloc(0))).toMatchObject({ width: 200, height: 100 });
});

it('a mask hides what differs, on its page only', () => {
  const mask = { page: 1, x: 90, y: 10, width: 60, height: 60 };
  const [before, after] = [picture({ ...box, size: 0 }), picture({ ...box, x: 100 })];
  expect(comparePictures(before, after, { ...page, masks: [mask] }).share).toBe(0);
  expect(comparePictures(before, after, { ...page, page: 2, masks: [mask] }).share).toBeGreaterThan(0.01);
  const atDoubleResolution = { ...mask, x: 45, y: 5, width: 30, height: 30 };
  expect(comparePictures(before, after, { ...page, dpi: 144, masks: [atDoubleResolution] }).share).toBe(0);
});

it('pages of different sizes are compared on the larger one', () => {
  expect(comparePictures(picture(box), picture(box, 220), page).share).toBe(0);
  expect(comparePictures(picture(box), picture({ ...box, x: 195 }, 220), page).share).toBeGreaterThan(0.01);
});

it('rules of a template replace thresholds and add masks; unknown fields are refused', () => {
  const mask = { x: 1, y: 2, width: 3, height: 4 };
  const rules = parseRules(JSON.stringify({ thresholds: { pixels: 0.5 }, masks: [mask] }), defaultRules);
  expect(rules).toEqual({ thresholds: { ...defaultRules.thresholds, pixels: 0.5 }, masks: [mask] });
  expect(() => parseRules('{"thresholds":{"pixel":1}}', defaultRules)).toThrow(/pixel/);
});
