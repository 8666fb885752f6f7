import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { comparePictures } from '../../../../../clients/cli/src/test/compare-pictures.ts';
import { compareTexts } from '../../../../../clients/cli/src/test/compare-text.ts';
import { type Segment, toSegments } from '../../../../../clients/cli/src/test/page-text.ts';
import { defaultRules } from '../../../../../clients/cli/src/test/rules.ts';

const piece = (text: string, x: number, y: number, width: number) => ({ text, x, y, width, height: 10 });

describe('the text of a page', () => {
  test('is the same however the document divides it into runs', () => {
    const whole = toSegments([piece('Dear Ada Lovelace', 50, 100, 85)]);
    const runs = [piece('De', 50, 100, 10), piece('ar Ada', 60.2, 100, 30), piece('Lovelace', 93, 100.3, 42)];
    expect(toSegments(runs)).toEqual(whole);
    expect(whole).toEqual([{ text: 'Dear Ada Lovelace', x: 50, y: 100, width: 85 }]);
  });

  test('is split at columns, and read from top to bottom and left to right', () => {
    const texts = toSegments([piece('total', 50, 200, 20), piece('9.50', 300, 100, 20), piece('oak', 50, 100, 15)]);
    expect(texts.map(({ text }) => text)).toEqual(['oak', '9.50', 'total']);
  });
});

const page = (...segments: readonly Segment[]) => ({ width: 595, height: 842, segments });
const at = (text: string, x: number, y: number, width = 40): Segment => ({ text, x, y, width });
const rules = { page: 1, masks: [], movedPt: 0.5 };

describe('the texts of two pages', () => {
  const expected = page(at('Total', 50, 100), at('1,250.00', 300, 100), at('Oak', 50, 120), at('Oak', 50, 140));

  const [, ...others] = expected.segments;
  const [, ...oaks] = others;

  test.each([
    ['nothing', expected, undefined],
    ['a changed value', page(at('Total', 50, 100), at('1250', 320, 100, 20), ...oaks), '"1,250.00" became "1250"'],
    ['a lost row', page(...expected.segments.slice(0, 3)), '"Oak" is missing'],
    ['a new text', page(...expected.segments, at('Copy', 200, 400)), '"Copy" is new'],
    ['a moved text', page(at('Total', 62, 98), ...others), '"Total" moved 12.0 pt right and 2.0 pt up'],
    ['another paper', { ...expected, width: 612, height: 792 }, 'the page measures 612 × 792 pt, not 595 × 842 pt'],
  ])('report %s', (_name, actual, message) => {
    expect(compareTexts(expected, actual, rules)).toEqual(message === undefined ? [] : [message]);
  });

  test('may differ within a mask, and only there', () => {
    const changed = page(at('Total', 50, 100), at('9.99', 300, 100), ...oaks);
    const mask = { x: 290, y: 85, width: 100, height: 20 };
    expect(compareTexts(expected, changed, { ...rules, masks: [mask] })).toEqual([]);
    expect(compareTexts(expected, changed, { ...rules, masks: [{ ...mask, page: 2 }] })).toHaveLength(1);
    expect(compareTexts(expected, changed, { ...rules, masks: [{ ...mask, y: 20 }] })).toHaveLength(1);
  });

  test('may move by up to the threshold', () => {
    const moved = page(at('Total', 51, 100), ...others);
    expect(compareTexts(expected, moved, rules)).toHaveLength(1);
    expect(compareTexts(expected, moved, { ...rules, movedPt: 1 })).toEqual([]);
  });
});

function picture(width: number, height: number, dots: readonly (readonly [x: number, y: number])[] = []): Buffer {
  const png = new PNG({ width, height });
  png.data.fill(0xff);
  for (const [x, y] of dots) png.data.set([200, 0, 0, 255], (y * width + x) * 4);
  return PNG.sync.write(png);
}

describe('the pictures of two pages', () => {
  const onFirst = { ...defaultRules, page: 1 };
  const block = [10, 11, 12, 13].flatMap((x) => [10, 11, 12, 13].map((y) => [x, y] as const));

  test('differ by a share of their pixels, with a picture of the differences', () => {
    const { pixels, share, difference } = comparePictures(picture(40, 50), picture(40, 50, block), onFirst);
    expect(pixels).toBe(16);
    expect(share).toBeCloseTo(16 / 2000);
    expect(PNG.sync.read(difference ?? Buffer.alloc(0))).toMatchObject({ width: 40, height: 50 });
  });

  test('may differ within a mask', () => {
    // 10 pixels are 7.5 points at 96 dpi.
    const masks = [{ x: 7, y: 7, width: 4, height: 4 }];
    const compared = comparePictures(picture(40, 50), picture(40, 50, block), { ...onFirst, masks });
    expect(compared).toEqual({ pixels: 0, share: 0, difference: undefined });
  });

  test('can be compared even if their sizes differ', () => {
    const corner = [42, 43].flatMap((x) => [58, 59].map((y) => [x, y] as const));
    expect(comparePictures(picture(40, 50), picture(44, 60, corner), onFirst).pixels).toBeGreaterThan(0);
  });
});
