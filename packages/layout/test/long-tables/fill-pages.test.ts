import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextPageStart, type PageFrame } from '../../src/long-tables/fill-pages.ts';
import type { TextRow } from '../../src/long-tables/lay-out-text-row.ts';

const frame: PageFrame = { height: 1_000, heading: 40, border: 10 };
const rowOf = (lines: readonly number[], canSplit = true, leastLines = 1): TextRow => ({
  cells: [
    [
      {
        above: 0,
        below: 0,
        lines: lines.map((height) => ({ height, ascent: height, spacingBelow: 0, spacing: 0 })),
        leastLines,
      },
    ],
  ],
  height: lines.reduce((a, b) => a + b, 0),
  canSplit,
  isCertain: true,
});
const linesOf = (count: number): number[] => Array.from({ length: count }, () => 100);
const next = (rows: readonly TextRow[], start = 0) => nextPageStart(rows, start, frame, 100);

describe('rows fill pages', () => {
  test('until the next one does not fit, with the border below the last one', () => {
    // 40 for the heading and 10 for the last border leave 950: 110 for each row.
    expect(next(Array.from({ length: 20 }, () => rowOf(linesOf(1))))).toEqual({
      row: 8,
      pages: 1,
      free: 70,
      isBelowWholeRow: true,
    });
  });

  test('and a row that continues across a page end begins no page', () => {
    const rows = [rowOf(linesOf(8)), rowOf(linesOf(2)), rowOf(linesOf(8)), rowOf(linesOf(1))];
    expect(next(rows)).toEqual({ row: 3, pages: 2, free: 30, isBelowWholeRow: true });
  });

  test('a row that may not be split goes to the next page as a whole', () => {
    expect(next([rowOf(linesOf(8)), rowOf(linesOf(2), false)])).toMatchObject({ row: 1, pages: 1, free: 140 });
  });

  test('two lines stay together on each side of a page end where the paragraph asks for it', () => {
    expect(next([rowOf(linesOf(8)), rowOf(linesOf(3), true, 2)])).toMatchObject({ row: 1, pages: 1 });
    const rows = [rowOf(linesOf(6)), rowOf(linesOf(4), true, 2), rowOf(linesOf(9), false)];
    expect(next(rows)).toMatchObject({ row: 2, pages: 2, free: 740, isBelowWholeRow: false });
  });

  test('nothing is predicted after a row that is higher than a page and must not be split', () => {
    expect(next([rowOf(linesOf(1)), rowOf(linesOf(12), false), rowOf(linesOf(1))], 1)).toBeUndefined();
  });

  test('no line is lost: the pages before a start are as high as their rows', () => {
    const row = fc.record({
      lines: fc.array(fc.integer({ min: 20, max: 120 }), { minLength: 1, maxLength: 12 }),
      canSplit: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 30, maxLength: 60 }), (specs) => {
        const rows = specs.map(({ lines, canSplit }) => rowOf(lines, canSplit && lines.length > 1));
        const start = next(rows);
        if (start === undefined) return;
        const used = rows.slice(0, start.row).reduce((sum, { height }) => sum + height + frame.border, 0);
        const perPage = frame.height - frame.heading - frame.border;
        expect(used).toBeLessThanOrEqual(start.pages * perPage);
        // Each page end wastes less than the highest row, which may not be split.
        const highest = Math.max(...rows.map(({ height }) => height)) + frame.border;
        expect(used).toBeGreaterThan((start.pages - 1) * (perPage - highest) - highest);
        expect(start.free).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('each start leads to the same later starts', () => {
    const rows = Array.from({ length: 200 }, (_, i) => rowOf(linesOf(1 + ((i * i) % 5))));
    const chain = (from: number): number[] => {
      const found = next(rows, from);
      return found === undefined ? [] : [found.row, ...chain(found.row)];
    };
    const all = chain(0);
    expect(all.length).toBeGreaterThan(10);
    for (const [index, row] of all.entries()) expect(chain(row)).toEqual(all.slice(index + 1));
  });
});
