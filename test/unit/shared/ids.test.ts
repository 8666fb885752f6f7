import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeOf = (id: string): number =>
  [...id.slice(4, 14)].reduce((value, character) => value * 32 + alphabet.indexOf(character), 0);

describe('an identifier', () => {
  test.each([0, 1, 31, 32, 1_795_286_400_000, 2 ** 48 - 1])('contains its creation time: %i', (nowMs) => {
    const id = newId('doc', nowMs);
    expect(id).toMatch(/^doc_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(timeOf(id)).toBe(nowMs);
  });

  test('sorts after those that were created earlier', () => {
    const times = [5, 1_023, 1_024, 1_795_286_400_000, 1_795_286_400_001];
    const ids = times.map((nowMs) => newId('bat', nowMs));
    expect([...ids].sort()).toEqual(ids);
  });

  test('is random in every other bit, and unique', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('req', 7));
    expect(new Set(ids).size).toBe(ids.length);
    for (let place = 14; place < 30; place++) {
      const counts = new Map<string, number>();
      for (const id of ids) counts.set(id[place] ?? '', (counts.get(id[place] ?? '') ?? 0) + 1);
      expect([...counts.keys()].sort().join('')).toBe(alphabet);
      // 625 are expected with a standard deviation of 25. Ten standard deviations are allowed.
      expect(Math.min(...counts.values())).toBeGreaterThan(375);
      expect(Math.max(...counts.values())).toBeLessThan(875);
    }
  });
});
