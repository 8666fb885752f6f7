import { collectDefaultMetrics, Registry } from 'prom-client';
import { type ApiConfig, ConfigError, loadApiConfig } from '../shared/config.ts';
import { openDatabase } from '../shared/db/client.ts';
import { pingDatabase } from '../shared/db/ping.ts';
import { newId } from '../shared/ids.ts';
import { createLogger } from '../shared/logger.ts';
import { startOperationsServer } from '../shared/operations-server.ts';
import { createQueues } from '../shared/queue/queues.ts';
import { closeRedis, openRedis, redisReady } from '../shared/queue/redis.ts';
import { requireNoEviction } from '../shared/queue/redis-policy.ts';
import { openReplyChannel } from '../shared/queue/replies.ts';
import { createReadiness } from '../shared/readiness.ts';
import { onShutdown } from '../shared/shutdown.ts';
import { createFontRegistry } from '../shared/storage/font-registry.ts';
import { createObjectStore } from '../shared/storage/objects.ts';
import { createTransientStore } from '../shared/storage/transient.ts';
import { createApp } from './app.ts';
import { createResultWaiter } from './await-result.ts';
import { createKeyCache } from './middleware/key-cache.ts';
import { createRateLimiter } from './middleware/rate-limit.ts';
import { serve } from './serve.ts';
import { createFontJudge } from './template-fonts.ts';

const lookEveryMs = 2_000;

async function main(config: ApiConfig): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL, 'api');
  const database = openDatabase(
    {
      url: config.DATABASE_URL,
      poolSize: config.DATABASE_POOL_SIZE,
      timeoutMs: config.DATABASE_TIMEOUT_MS,
      applicationName: 'docmill-api',
    },
    logger,
  );
  const redis = openRedis(config.REDIS_URL, 'commands', logger);
  const subscriber = openRedis(config.REDIS_URL, 'subscriber', logger);
  await redisReady(redis, 30_000);
  await requireNoEviction(redis);
  const replies = await openReplyChannel(subscriber, `${config.QUEUE_PREFIX}:replies:${newId('api')}`, logger);
  const queues = createQueues(redis, config.QUEUE_PREFIX, logger);
  const objects = createObjectStore({
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    timeoutMs: config.S3_TIMEOUT_MS,
  });
  await objects.prepare().catch((error: unknown) => logger.warn({ err: error }, 'the bucket could not be looked at'));
  let draining = (): boolean => false;
  const readiness = createReadiness([
    { name: 'accepting', check: async () => !draining() },
    { name: 'database', check: () => pingDatabase(database.db) },
    { name: 'redis', check: async () => (await redis.ping()) === 'PONG' },
    { name: 'storage', check: () => objects.isReachable() },
  ]);
  const app = createApp(
    {
      config,
      logger,
      db: database.db,
      redis,
      queues,
      objects,
      transient: createTransientStore(redis, config.QUEUE_PREFIX),
      keys: createKeyCache(database.db, config.KEY_CACHE_SECONDS),
      fonts: createFontJudge(createFontRegistry(redis, config.QUEUE_PREFIX), logger),
      limiter: createRateLimiter(redis, {
        requests: config.RATE_LIMIT_REQUESTS,
        windowSeconds: config.RATE_LIMIT_WINDOW_SECONDS,
        prefix: config.QUEUE_PREFIX,
      }),
      results: createResultWaiter({
        db: database.db,
        replies,
        logger,
        waitLimitMs: config.WAIT_LIMIT_MS,
        lookEveryMs,
        maxWaiting: config.MAX_WAITING,
        maxWaitingPerAccount: config.MAX_WAITING_PER_ACCOUNT,
      }),
    },
    readiness,
  );
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const operations = await startOperationsServer({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    registry,
    readiness,
  });
  const service = await serve({
    host: config.HOST,
    port: config.PORT,
    maxConnections: config.MAX_CONNECTIONS,
    fetch: app.fetch,
  });
  draining = service.isDraining;
  logger.info({ address: service.address, metricsPort: operations.port }, 'listening');
  onShutdown(logger, [
    {
      name: 'requests',
      timeoutMs: config.DRAIN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS,
      run: () => service.drain(config.DRAIN_DELAY_MS),
    },
    { name: 'operations server', timeoutMs: 1_000, run: () => operations.close() },
    { name: 'replies', timeoutMs: 1_000, run: () => replies.close() },
    { name: 'queues', timeoutMs: 5_000, run: () => queues.close() },
    {
      name: 'redis',
      timeoutMs: 2_000,
      run: async () => void (await Promise.all([closeRedis(redis), closeRedis(subscriber)])),
    },
    { name: 'storage', timeoutMs: 1_000, run: () => objects.close() },
    { name: 'database', timeoutMs: 5_000, run: () => database.close() },
  ]);
}

try {
  await main(loadApiConfig());
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}
