import { type JobSource, redisProblem } from '../api/queues/read-queues.ts';
import { findRedisConfig } from '../shared/config/load-config.ts';
import { createLogger } from '../shared/logger.ts';
import { createQueues } from '../shared/queue/queues.ts';
import { closeRedis, openRedis, redisReady } from '../shared/queue/redis.ts';

const redisTimeoutMs = 5_000;

/** Opens the configured queues for the duration of `work`. Without Redis, `work` gets the reason instead. */
export async function withQueues<Result>(work: (source: JobSource) => Promise<Result>): Promise<Result> {
  const config = findRedisConfig();
  if (config === undefined) return await work({ unread: 'REDIS_URL is not set' });
  const logger = createLogger('silent', 'admin');
  const redis = openRedis(config, 'commands', logger);
  const queues = createQueues(redis, config.QUEUE_PREFIX, logger);
  try {
    const problem = await redisReady(redis, redisTimeoutMs).then(() => undefined, redisProblem);
    return await work(problem === undefined ? queues : { unread: problem });
  } finally {
    await queues.close().catch(() => undefined);
    await closeRedis(redis);
  }
}
