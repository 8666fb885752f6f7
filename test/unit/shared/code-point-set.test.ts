import { describe, expect, it } from 'vitest';
import { CodePointSet, isInRanges, mergeRanges, parseRanges } from '../../../src/shared/code-point-set.ts';

describe('sets of code points', () => {
  it("are read from ranges in fontconfig's notation", () => {
    expect(parseRanges('20-7e a0-17f 2c6 nonsense 110000-110001')).toEqual([0x20, 0x7e, 0xa0, 0x17f, 0x2c6, 0x2c6]);
    const merged = mergeRanges([
      [0x30, 0x39],
      [0x20, 0x2f, 0x35, 0x40],
      [0x50, 0x50],
    ]);
    expect(merged).toEqual([0x20, 0x40, 0x50, 0x50]);
  });

  it('contain exactly the code points of their ranges', () => {
    const ranges = [1, 1, 7, 17, 64, 64, 0x10fff0, 0x10ffff];
    const set = new CodePointSet(ranges);
    const has = (code: number) =>
      ranges.some((first, i) => i % 2 === 0 && first <= code && code <= (ranges[i + 1] ?? -1));
    for (let code = 0; code < 100; code++)
      expect([code, set.has(code), isInRanges(ranges, code)]).toEqual([code, has(code), has(code)]);
    expect([0x10ffef, 0x10fff0, 0x10ffff, 0x110000].map((code) => set.has(code))).toEqual([false, true, true, false]);
  });
});
