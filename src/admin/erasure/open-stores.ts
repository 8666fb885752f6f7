import type { Stores } from '../../api/erasure/stores.ts';
import { loadStoresConfig } from '../../shared/config/load-config.ts';
import { openOwnBucket } from '../../shared/connections.ts';
import type { Database } from '../../shared/db/client.ts';
import { createLogger } from '../../shared/logger.ts';
import { createQueues } from '../../shared/queue/queues.ts';
import { closeRedis, openRedis, redisReady } from '../../shared/queue/redis.ts';

const redisTimeoutMs = 10_000;

/** Opens the configured object store and Redis for the duration of `work`. */
export async function withStores<T>(db: Database, work: (stores: Stores) => Promise<T>): Promise<T> {
  const config = loadStoresConfig();
  const logger = createLogger('silent', 'admin');
  const redis = openRedis(config, 'commands', logger);
  const queues = createQueues(redis, config.QUEUE_PREFIX, logger);
  const { objects } = openOwnBucket(db, config, logger);
  try {
    await redisReady(redis, redisTimeoutMs);
    return await work({ db, objects, redis, queues, prefix: config.QUEUE_PREFIX });
  } finally {
    await queues.close();
    await closeRedis(redis);
    await objects.close();
  }
}
