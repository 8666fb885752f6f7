import { AppError } from '../errors.ts';
import { databaseUnavailable } from './errors.ts';

export interface Coalescing<Item, Answer> {
  /** What is asked for under different keys goes on side by side. */
  readonly keyOf: (item: Item) => string;
  readonly one: (item: Item) => Promise<Answer>;
  /** An answer for each item; undefined for those that did not go with the others, and are done alone then. */
  readonly many: (items: readonly Item[]) => Promise<readonly (Answer | undefined)[]>;
  readonly mostAtOnce: number;
  /** What has waited longer for its turn is refused as `unavailable`: the ones before it are held up. */
  readonly mostWaitMs: number;
}

interface Waiter<Item, Answer> {
  readonly item: Item;
  readonly cameAtMs: number;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does at once what is asked for while nothing of its key is under way, and what is asked for meanwhile together: nobody waits
 * for company, and under load a statement serves many. When PostgreSQL is away all of them learn so; after any other error
 * each is tried alone, so that one bad item harms no other.
 */
export function coalesce<Item, Answer>(how: Coalescing<Item, Answer>): (item: Item) => Promise<Answer> {
  const waiting = new Map<string, Waiter<Item, Answer>[]>();
  const next = (key: string): void => {
    const queue = waiting.get(key) ?? [];
    refuseLate(queue, how.mostWaitMs);
    if (queue.length === 0) waiting.delete(key);
    else void serve(how, queue.splice(0, how.mostAtOnce)).finally(() => next(key));
  };
  return (item) =>
    new Promise((resolve, reject) => {
      const key = how.keyOf(item);
      const waiter = { item, cameAtMs: performance.now(), resolve, reject };
      const queue = waiting.get(key);
      if (queue !== undefined) {
        queue.push(waiter);
        return;
      }
      waiting.set(key, [waiter]);
      next(key);
    });
}

function refuseLate(queue: Pick<Waiter<unknown, unknown>, 'cameAtMs' | 'reject'>[], mostWaitMs: number): void {
  const soonestMs = performance.now() - mostWaitMs;
  const late = queue.findIndex(({ cameAtMs }) => cameAtMs >= soonestMs);
  for (const { reject } of queue.splice(0, late < 0 ? queue.length : late)) {
    reject(databaseUnavailable(new Error(`waited ${mostWaitMs} ms for the statements before it`)));
  }
}

/** Ends when the statement for all has; those that are done alone afterwards do not keep the next ones waiting. */
async function serve<Item, Answer>(
  { one, many }: Coalescing<Item, Answer>,
  group: readonly Waiter<Item, Answer>[],
): Promise<void> {
  const [first] = group;
  if (first !== undefined && group.length === 1) {
    await one(first.item).then(first.resolve, first.reject);
    return;
  }
  try {
    const answers = await many(group.map(({ item }) => item));
    for (const [index, { item, resolve }] of group.entries()) {
      const answer = answers[index];
      resolve(answer === undefined ? one(item) : answer);
    }
  } catch (error) {
    const isOutage = error instanceof AppError && error.code === 'unavailable';
    for (const { item, resolve, reject } of group) {
      if (isOutage) reject(error);
      else resolve(one(item));
    }
  }
}
