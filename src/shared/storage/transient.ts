import { guardedRedis } from '../queue/errors.ts';
import { keepsOrder, type Redis } from '../queue/redis.ts';
import { createScript, runScript } from '../queue/script.ts';
import { type ByteLimits, createByteLedger, type LedgerItem, type ReconcileLimits } from './byte-ledger.ts';

export type TransientKind = 'data' | 'upload' | 'result' | 'preview';

/**
 * Bytes that stay in Redis for minutes: the data of a request, an upload during inspection, a finished document, the
 * description of a preview.
 */
export interface TransientStore {
  /** Stores bytes that are already reserved, or limited elsewhere, for example by the window of batches. */
  put(kind: TransientKind, id: string, bytes: Uint8Array, ttlSeconds: number): Promise<void>;
  get(kind: TransientKind, id: string): Promise<Buffer | undefined>;
  has(kind: TransientKind, id: string): Promise<boolean>;
  remove(kind: TransientKind, id: string): Promise<void>;
  /** Publishes `head`, followed by stored bytes. Publishes nothing and returns false if Redis has lost them. */
  publish(channel: string, head: string, kind: TransientKind, id: string): Promise<boolean>;
  /** A view of the store for one account, whose bytes count against the account's limit and the total limit. */
  of(accountId: string): AccountStore;
  /** Stops counting what has expired or was left behind by a crash. */
  reconcile(limits: ReconcileLimits): Promise<void>;
  /** The number of counted bytes, over all accounts. */
  readTotalBytes(): Promise<number>;
}

/** Bytes of an account. `remove` and `forget` release what was counted. */
export interface AccountStore {
  /**
   * Counts bytes before a `put` to the whole store. Throws `rate_limited` at the account's limit, `unavailable` at the
   * total limit.
   */
  reserve(kind: TransientKind, id: string, sizeBytes: number): Promise<void>;
  /** Like `reserve`, but returns false at a limit. */
  tryReserve(kind: TransientKind, id: string, sizeBytes: number): Promise<boolean>;
  /** Reserves, then stores. */
  put(kind: TransientKind, id: string, bytes: Uint8Array, ttlSeconds: number): Promise<void>;
  remove(kind: TransientKind, id: string): Promise<void>;
  /**
   * Removes bytes asynchronously, in batches. During an outage they stay until they expire. Pass the size if it is
   * known, which saves work.
   */
  forget(kind: TransientKind, id: string, sizeBytes?: number): void;
}

const flushAfterMs = 20;

/** ARGV: channel, head. */
const publishScript = createScript(`
local bytes = redis.call('GET', KEYS[1])
if not bytes then return 0 end
redis.call('PUBLISH', ARGV[1], ARGV[2] .. bytes)
return 1
`);

/**
 * Bytes up to this size are not counted, because counting would make small documents more expensive. The number of
 * waiting documents limits such data instead. A small result is also in the reply, and is removed once the reply
 * arrives.
 */
const uncountedBytes: Readonly<Record<TransientKind, number>> = {
  data: 4 * 1024,
  upload: 4 * 1024,
  preview: 4 * 1024,
  result: 64 * 1024,
};

export const transientKey = (prefix: string, kind: TransientKind, id: string): string => `${prefix}:${kind}:${id}`;

export function createTransientStore(redis: Redis, prefix: string, limits: ByteLimits): TransientStore {
  const key = (kind: TransientKind, id: string): string => transientKey(prefix, kind, id);
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
    publish: async (channel, head, kind, id) =>
      (await guardedRedis(() => runScript(redis, publishScript, [key(kind, id)], [channel, head]))) === 1,
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
