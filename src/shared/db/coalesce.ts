import { AppError } from '../errors.ts';
import { databaseUnavailable, isContention } from './errors.ts';

/**
 * The longest wait for a lock in a statement for several keys. Another transaction may hold the rows of one key for
 * long; until it is known, the others wait this long.
 */
export const sharedLockWaitMs = 50;

/** Undefined for an item that must be processed apart from the others; a promise for one that is answered later. */
export type GroupResult<Result> = Result | Promise<Result> | undefined;

export interface Coalescing<Item, Result> {
  /** Items that are processed apart wait only for those with the same key. */
  readonly keyOf: (item: Item) => string;
  /** Whether the item is never processed together with those of other keys. */
  readonly isApart?: (item: Item) => boolean;
  /** Processes items of any keys. Fails soon if it has to wait for a lock. */
  readonly processTogether: (items: readonly Item[]) => Promise<readonly GroupResult<Result>[]>;
  /** Processes several items of one key; by default, each is processed alone. */
  readonly processApart?: ((items: readonly Item[]) => Promise<readonly GroupResult<Result>[]>) | undefined;
  readonly processOne: (item: Item) => Promise<Result>;
  /** Maximum number of items in one call. */
  readonly maxItems: number;
  /** An item that waits longer is rejected as `unavailable`. */
  readonly maxWaitMs: number;
  /** Called with the number of items of each call. */
  readonly observe?: ((items: number) => void) | undefined;
}

interface Waiter<Item, Result> {
  readonly item: Item;
  readonly enqueuedAtMs: number;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: items that arrive in one round of the event loop form a group, and so do those that arrive while a call
 * is in progress. No item is delayed further to fill a group. Items that cannot be processed with others, because the group failed
 * or a lock is taken, are processed apart, by key: those of other keys do not wait for them. While items of a key are
 * apart, later ones join them. An outage rejects the whole group; an invalid item fails only itself.
 */
export function coalesce<Item, Result>(options: Coalescing<Item, Result>): (item: Item) => Promise<Result> {
  const { keyOf, isApart, maxItems, maxWaitMs } = options;
  let isBusy = false;
  const together: Waiter<Item, Result>[] = [];
  const apart = new Map<string, Waiter<Item, Result>[]>();

  const nextTogether = (): void => {
    rejectExpired(together, maxWaitMs);
    isBusy = together.length > 0;
    if (!isBusy) return;
    const group = together.splice(0, maxItems);
    void serve(options, options.processTogether, group).then((left) => {
      left.forEach(addApart);
      nextTogether();
    });
  };
  const addApart = (waiter: Waiter<Item, Result>): void => {
    const key = keyOf(waiter.item);
    const queue = apart.get(key);
    if (queue !== undefined) {
      queue.push(waiter);
      return;
    }
    apart.set(key, [waiter]);
    // Those of the same group join it first.
    queueMicrotask(() => nextApart(key));
  };
  const nextApart = (key: string): void => {
    const queue = apart.get(key) ?? [];
    rejectExpired(queue, maxWaitMs);
    if (queue.length === 0) apart.delete(key);
    else void serveApart(options, queue.splice(0, maxItems)).then(() => nextApart(key));
  };
  return (item) =>
    new Promise((resolve, reject) => {
      const waiter = { item, enqueuedAtMs: performance.now(), resolve, reject };
      if (isApart?.(item) === true || apart.has(keyOf(item))) {
        addApart(waiter);
        return;
      }
      together.push(waiter);
      if (!isBusy) setImmediate(nextTogether);
      isBusy = true;
    });
}

function rejectExpired(queue: Pick<Waiter<unknown, unknown>, 'enqueuedAtMs' | 'reject'>[], maxWaitMs: number): void {
  const oldestAllowedMs = performance.now() - maxWaitMs;
  const firstValid = queue.findIndex(({ enqueuedAtMs }) => enqueuedAtMs >= oldestAllowedMs);
  for (const { reject } of queue.splice(0, firstValid < 0 ? queue.length : firstValid)) {
    reject(databaseUnavailable(new Error(`waited ${maxWaitMs} ms for the statements before it`)));
  }
}

/** Settles with the call, and returns the waiters that must be processed otherwise. */
async function serve<Item, Result>(
  { processTogether, observe }: Coalescing<Item, Result>,
  process: Coalescing<Item, Result>['processTogether'],
  group: readonly Waiter<Item, Result>[],
): Promise<readonly Waiter<Item, Result>[]> {
  observe?.(group.length);
  try {
    const results = await process(group.map(({ item }) => item));
    return group.filter(({ resolve }, index) => {
      const result = results[index];
      if (result !== undefined) resolve(result);
      return result === undefined;
    });
  } catch (error) {
    const isOutage = error instanceof AppError && error.code === 'unavailable';
    if (!isOutage || (process === processTogether && isContention(error))) return group;
    for (const { reject } of group) reject(error);
    return [];
  }
}

/** Items that are then processed alone do not delay the next group of their key. */
async function serveApart<Item, Result>(
  options: Coalescing<Item, Result>,
  group: readonly Waiter<Item, Result>[],
): Promise<void> {
  const { processApart, processOne, observe } = options;
  const [first] = group;
  if (first !== undefined && group.length === 1) {
    observe?.(1);
    await processOne(first.item).then(first.resolve, first.reject);
    return;
  }
  const left = processApart === undefined ? group : await serve(options, processApart, group);
  for (const { item, resolve } of left) {
    observe?.(1);
    resolve(processOne(item));
  }
}
