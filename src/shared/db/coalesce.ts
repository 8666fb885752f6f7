import { AppError } from '../errors.ts';
import { databaseUnavailable } from './errors.ts';

export interface Coalescing<Item, Result> {
  /** Items with different keys are processed concurrently. */
  readonly keyOf: (item: Item) => string;
  readonly one: (item: Item) => Promise<Result>;
  /** A result for each item; undefined for items that must be processed alone. */
  readonly many: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  /** Items in one call of `many`. */
  readonly maxItems: number;
  /** An item that has waited longer is rejected as `unavailable`: the statements before it are held up. */
  readonly maxWaitMs: number;
}

interface Waiter<Item, Result> {
  readonly item: Item;
  readonly enqueuedAtMs: number;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: an item is processed at once when nothing of its key is in progress; items that arrive meanwhile are
 * processed together afterwards. Requests are not delayed to form a group. An outage rejects the whole group; after any
 * other error each item is tried alone, so that one bad item fails only itself.
 */
export function coalesce<Item, Result>(options: Coalescing<Item, Result>): (item: Item) => Promise<Result> {
  const waiting = new Map<string, Waiter<Item, Result>[]>();
  const next = (key: string): void => {
    const queue = waiting.get(key) ?? [];
    rejectLate(queue, options.maxWaitMs);
    if (queue.length === 0) waiting.delete(key);
    else void serve(options, queue.splice(0, options.maxItems)).finally(() => next(key));
  };
  return (item) =>
    new Promise((resolve, reject) => {
      const key = options.keyOf(item);
      const waiter = { item, enqueuedAtMs: performance.now(), resolve, reject };
      const queue = waiting.get(key);
      if (queue !== undefined) {
        queue.push(waiter);
        return;
      }
      waiting.set(key, [waiter]);
      next(key);
    });
}

function rejectLate(queue: Pick<Waiter<unknown, unknown>, 'enqueuedAtMs' | 'reject'>[], maxWaitMs: number): void {
  const soonestMs = performance.now() - maxWaitMs;
  const late = queue.findIndex(({ enqueuedAtMs }) => enqueuedAtMs >= soonestMs);
  for (const { reject } of queue.splice(0, late < 0 ? queue.length : late)) {
    reject(databaseUnavailable(new Error(`waited ${maxWaitMs} ms for the statements before it`)));
  }
}

/** Settles when the shared statement has. Items that are then processed alone do not delay the next group. */
async function serve<Item, Result>(
  { one, many }: Coalescing<Item, Result>,
  group: readonly Waiter<Item, Result>[],
): Promise<void> {
  const [first] = group;
  if (first !== undefined && group.length === 1) {
    await one(first.item).then(first.resolve, first.reject);
    return;
  }
  try {
    const results = await many(group.map(({ item }) => item));
    for (const [index, { item, resolve }] of group.entries()) {
      const result = results[index];
      resolve(result === undefined ? one(item) : result);
    }
  } catch (error) {
    const isOutage = error instanceof AppError && error.code === 'unavailable';
    for (const { item, resolve, reject } of group) {
      if (isOutage) reject(error);
      else resolve(one(item));
    }
  }
}
