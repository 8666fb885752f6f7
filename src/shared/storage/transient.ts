import { guardedRedis } from '../queue/errors.ts';
import { keepsOrder, type Redis } from '../queue/redis.ts';
import { type ByteLimits, createByteLedger, type LedgerItem, type ReconcileLimits } from './byte-ledger.ts';

export type TransientKind = 'data' | 'upload' | 'result' | 'preview';

/** Bytes that stay in Redis for minutes: the data of a request, an upload during inspection, a finished document, the
 * description of a preview. */
export interface TransientStore {
  /** Stores bytes that are reserved already, or that something else limits, as the window of batches does. */
  put(kind: TransientKind, id: string, bytes: Uint8Array, ttlSeconds: number): Promise<void>;
  get(kind: TransientKind, id: string): Promise<Buffer | undefined>;
  has(kind: TransientKind, id: string): Promise<boolean>;
  remove(kind: TransientKind, id: string): Promise<void>;
  /** The same store, whose bytes count against the limits of the account and of all accounts. */
  of(accountId: string): AccountStore;
  /** Stops counting what expired or a crash left behind. */
  reconcile(limits: ReconcileLimits): Promise<void>;
  /** The bytes that are counted, of all accounts. */
  readTotalBytes(): Promise<number>;
}

/** Bytes of an account. What is counted is uncounted by `remove` and `forget`. */
export interface AccountStore {
  /** Counts bytes before `put` of the whole store. Throws `rate_limited` at the limit of the account, `unavailable` at that of all. */
  reserve(kind: TransientKind, id: string, sizeBytes: number): Promise<void>;
  /** As `reserve`, but returns false at a limit. */
  tryReserve(kind: TransientKind, id: string, sizeBytes: number): Promise<boolean>;
  /** Reserves, then stores. */
  put(kind: TransientKind, id: string, bytes: Uint8Array, ttlSeconds: number): Promise<void>;
  remove(kind: TransientKind, id: string): Promise<void>;
  /** Removes bytes asynchronously, in batches. During an outage they stay until they expire. A size that is known saves work. */
  forget(kind: TransientKind, id: string, sizeBytes?: number): void;
}

const flushAfterMs = 20;

/**
 * Up to this size bytes are not counted, which would make small documents dearer. Data are then limited by the number of waiting
 * documents. A small result is in the reply too, and removed as soon as that arrives.
 */
const uncountedBytes: Readonly<Record<TransientKind, number>> = {
  data: 4 * 1024,
  upload: 4 * 1024,
  preview: 4 * 1024,
  result: 64 * 1024,
};

export function createTransientStore(redis: Redis, prefix: string, limits: ByteLimits): TransientStore {
  const key = (kind: TransientKind, id: string): string => `${prefix}:${kind}:${id}`;
  const ledger = createByteLedger(redis, prefix, limits);
  let forgotten: string[] = [];
  let uncounted: LedgerItem[] = [];
  const flush = (): void => {
    const [keys, items] = [forgotten, uncounted];
    forgotten = [];
    uncounted = [];
    // A cluster accepts several keys in one command only if they share a slot.
    const removals = keepsOrder(redis) ? [redis.unlink(...keys)] : keys.map((each) => redis.unlink(each));
    Promise.all([...removals, ledger.release(items)]).catch(() => undefined);
  };
  const put: TransientStore['put'] = async (kind, id, bytes, ttlSeconds) => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await guardedRedis(() => redis.set(key(kind, id), buffer, 'EX', ttlSeconds));
  };
  const remove: TransientStore['remove'] = async (kind, id) => {
    await guardedRedis(() => redis.unlink(key(kind, id)));
  };
  return {
    put,
    get: (kind, id) => guardedRedis(async () => (await redis.getBuffer(key(kind, id))) ?? undefined),
    has: (kind, id) => guardedRedis(async () => (await redis.exists(key(kind, id))) === 1),
    remove,
    of(accountId) {
      const reserve: AccountStore['reserve'] = async (kind, id, sizeBytes) => {
        if (sizeBytes > uncountedBytes[kind]) await ledger.reserve({ accountId, key: key(kind, id) }, sizeBytes);
      };
      return {
        reserve,
        tryReserve: async (kind, id, sizeBytes) =>
          sizeBytes <= uncountedBytes[kind] || ledger.tryReserve({ accountId, key: key(kind, id) }, sizeBytes),
        async put(kind, id, bytes, ttlSeconds) {
          await reserve(kind, id, bytes.byteLength);
          await put(kind, id, bytes, ttlSeconds);
        },
        async remove(kind, id) {
          await Promise.all([remove(kind, id), ledger.release([{ accountId, key: key(kind, id) }])]);
        },
        forget(kind, id, sizeBytes = Number.POSITIVE_INFINITY) {
          if (forgotten.length === 0) setTimeout(flush, flushAfterMs).unref();
          forgotten.push(key(kind, id));
          if (sizeBytes > uncountedBytes[kind]) uncounted.push({ accountId, key: key(kind, id) });
        },
      };
    },
    reconcile: (until) => ledger.reconcile(until),
    readTotalBytes: () => ledger.readTotalBytes(),
  };
}
