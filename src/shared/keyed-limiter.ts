import { databaseUnavailable } from './db/errors.ts';

export interface TurnOptions {
  /** Of each key, side by side. */
  readonly mostAtOnce: number;
  /** What has waited longer for its turn is refused as `unavailable`: the ones before it are held up. */
  readonly mostWaitMs: number;
}

/** Runs work of a key at once, or in its turn when enough of that key is under way: one key never takes the whole pool. */
export type TakeTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

interface Line {
  underWay: number;
  readonly waiting: (() => void)[];
}

export function createTurns({ mostAtOnce, mostWaitMs }: TurnOptions): TakeTurns {
  const lines = new Map<string, Line>();
  const turnOf = (line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(begin), 1);
        reject(databaseUnavailable(new Error(`waited ${mostWaitMs} ms for those before it`)));
      }, mostWaitMs);
      line.waiting.push(begin);
    });
  return async (key, work) => {
    const line = lines.get(key) ?? { underWay: 0, waiting: [] };
    lines.set(key, line);
    if (line.underWay < mostAtOnce) line.underWay += 1;
    else await turnOf(line);
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else {
        line.underWay -= 1;
        if (line.underWay === 0) lines.delete(key);
      }
    }
  };
}
