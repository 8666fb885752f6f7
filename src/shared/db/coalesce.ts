import { AppError } from '../errors.ts';
import { databaseUnavailable } from './errors.ts';

export interface Coalescing<Item, Result> {
  /** Items with different keys are processed concurrently. */
  readonly keyOf: (item: Item) => string;
  readonly processOne: (item: Item) => Promise<Result>;
  /** Returns a result for each item, or undefined for items that must be processed alone. */
  readonly processGroup: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  /** Maximum number of items in one call of `processGroup`. */
  readonly maxItems: number;
  /** An item that waits longer is rejected as `unavailable`. */
  readonly maxWaitMs: number;
}

interface Waiter<Item, Result> {
  readonly item: Item;
  readonly enqueuedAtMs: number;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: an item is processed at once unless its key is busy. Items that arrive in the meantime form the next
 * group, so no item is delayed to fill one. An outage rejects the whole group; after any other error each item is
 * retried alone, so that an invalid item fails only itself.
 */
export function coalesce<Item, Result>(options: Coalescing<Item, Result>): (item: Item) => Promise<Result> {
  const waiting = new Map<string, Waiter<Item, Result>[]>();
  const next = (key: string): void => {
    const queue = waiting.get(key) ?? [];
    rejectExpired(queue, options.maxWaitMs);
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

function rejectExpired(queue: Pick<Waiter<unknown, unknown>, 'enqueuedAtMs' | 'reject'>[], maxWaitMs: number): void {
  const oldestAllowedMs = performance.now() - maxWaitMs;
  const firstValid = queue.findIndex(({ enqueuedAtMs }) => enqueuedAtMs >= oldestAllowedMs);
  for (const { reject } of queue.splice(0, firstValid < 0 ? queue.length : firstValid)) {
    reject(databaseUnavailable(new Error(`waited ${maxWaitMs} ms for the statements before it`)));
  }
}

/** Settles with the shared statement. Items that are then processed alone do not delay the next group. */
async function serve<Item, Result>(
  { processOne, processGroup }: Coalescing<Item, Result>,
  group: readonly Waiter<Item, Result>[],
): Promise<void> {
  const [first] = group;
  if (first !== undefined && group.length === 1) {
    await processOne(first.item).then(first.resolve, first.reject);
    return;
  }
  try {
    const results = await processGroup(group.map(({ item }) => item));
    for (const [index, { item, resolve }] of group.entries()) {
      const result = results[index];
      resolve(result === undefined ? processOne(item) : result);
    }
  } catch (error) {
    const isOutage = error instanceof AppError && error.code === 'unavailable';
    for (const { item, resolve, reject } of group) {
      if (isOutage) reject(error);
      else resolve(processOne(item));
    }
  }
}
