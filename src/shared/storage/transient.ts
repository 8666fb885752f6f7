import { guardedRedis } from '../queue/errors.ts';
import { keepsOrder, type Redis } from '../queue/redis.ts';

export type TransientKind = 'data' | 'upload' | 'result' | 'preview';

/** Bytes that stay in Redis for minutes: the data of a request, an upload during inspection, a finished document, the
 * description of a preview. */
export interface TransientStore {
  put(kind: TransientKind, id: string, bytes: Uint8Array, ttlSeconds: number): Promise<void>;
  get(kind: TransientKind, id: string): Promise<Buffer | undefined>;
  has(kind: TransientKind, id: string): Promise<boolean>;
  remove(kind: TransientKind, id: string): Promise<void>;
  /** Removes bytes asynchronously, in batches. During an outage they stay until they expire. */
  forget(kind: TransientKind, id: string): void;
}

const flushAfterMs = 20;

export function createTransientStore(redis: Redis, prefix: string): TransientStore {
  const key = (kind: TransientKind, id: string): string => `${prefix}:${kind}:${id}`;
  let forgotten: string[] = [];
  const flush = (): void => {
    const keys = forgotten;
    forgotten = [];
    // A cluster accepts several keys in one command only if they share a slot.
    const removals = keepsOrder(redis) ? [redis.unlink(...keys)] : keys.map((each) => redis.unlink(each));
    Promise.all(removals).catch(() => undefined);
  };
  return {
    async put(kind, id, bytes, ttlSeconds) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      await guardedRedis(() => redis.set(key(kind, id), buffer, 'EX', ttlSeconds));
    },
    get: (kind, id) => guardedRedis(async () => (await redis.getBuffer(key(kind, id))) ?? undefined),
    has: (kind, id) => guardedRedis(async () => (await redis.exists(key(kind, id))) === 1),
    async remove(kind, id) {
      await guardedRedis(() => redis.unlink(key(kind, id)));
    },
    forget(kind, id) {
      if (forgotten.length === 0) setTimeout(flush, flushAfterMs).unref();
      forgotten.push(key(kind, id));
    },
  };
}
