import { describe, expect, test } from 'vitest';
import { boxAt, pageInDirection, stepZoom, zoomToFit } from '../../../../src/console/pdf/page-layout.ts';

describe('the zoom of pages', () => {
  test('moves in steps and stops at both ends', () => {
    expect(stepZoom(1, 1)).toBe(1.25);
    expect(stepZoom(1, -1)).toBe(0.8);
    expect(stepZoom(0.93, 1)).toBe(1);
    expect(stepZoom(4, 1)).toBe(4);
    expect(stepZoom(0.25, -1)).toBe(0.25);
  });

  test('fits the widest page to the width, but does not enlarge labels or shrink posters too far', () => {
    expect(zoomToFit(595, 595 * (96 / 72))).toBeCloseTo(1);
    expect(zoomToFit(100, 2_000)).toBe(1.5);
    expect(zoomToFit(100_000, 300)).toBe(0.25);
    expect(zoomToFit(0, 300)).toBe(1.5);
  });
});

describe('the position in the pages', () => {
  const bottoms = [100, 210, 320, 430];

  test.each([
    [0, 0],
    [99, 0],
    [100, 1],
    [319, 2],
    [9_000, 3],
  ])('scrolled to %d pixels is page %d', (top, page) => {
    expect(boxAt(bottoms.length, top, (index) => bottoms[index] ?? 0)).toBe(page);
  });

  test('does not exist without pages', () => {
    expect(boxAt(0, 10, () => 0)).toBe(0);
  });

  test('moves down to the next page, and up from the middle of a page to its beginning', () => {
    expect(pageInDirection({ page: 1, share: 0.5 }, 1, 4)).toBe(2);
    expect(pageInDirection({ page: 1, share: 0.5 }, -1, 4)).toBe(1);
    expect(pageInDirection({ page: 1, share: 0 }, -1, 4)).toBe(0);
    expect(pageInDirection({ page: 3, share: 0 }, 1, 4)).toBe(3);
  });
});
