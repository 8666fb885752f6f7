import type { Redis } from '../../../src/shared/queue/redis.ts';
import type { ByteLimits } from '../../../src/shared/storage/byte-ledger.ts';
import { createTransientStore, type TransientStore } from '../../../src/shared/storage/transient.ts';

/** A store whose limits no test reaches by accident. */
export function newTransientStore(
  redis: Redis,
  prefix: string,
  limits: ByteLimits = { accountBytes: 1e9, totalBytes: 2e9 },
): TransientStore {
  return createTransientStore(redis, prefix, limits);
}
