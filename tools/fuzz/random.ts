/** Random numbers that are reproducible for a seed (mulberry32). */
export interface Random {
  /** An integer from 0 to `limit`, exclusive. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly [T, ...T[]]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: ([first, ...others]) => {
      const index = below(others.length + 1);
      return index === 0 ? first : (others[index - 1] ?? first);
    },
  };
}
