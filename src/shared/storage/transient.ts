import { guardedRedis } from '../queue/errors.ts';
import type { Redis } from '../queue/redis.ts';

export type TransientKind = 'data' | 'upload' | 'result';

/** Bytes that live in Redis for minutes: the data of a request, an upload under inspection, a finished document. */
export interface TransientStore {
  put(kind: TransientKind, id: string, bytes: Uint8Array, ttlSeconds: number): Promise<void>;
  get(kind: TransientKind, id: string): Promise<Buffer | undefined>;
  has(kind: TransientKind, id: string): Promise<boolean>;
  remove(kind: TransientKind, id: string): Promise<void>;
}

export function createTransientStore(redis: Redis, prefix: string): TransientStore {
  const key = (kind: TransientKind, id: string): string => `${prefix}:${kind}:${id}`;
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
  };
}
