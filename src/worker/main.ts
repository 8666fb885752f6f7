import { collectDefaultMetrics, Registry } from 'prom-client';
import { ConfigError, loadWorkerConfig, type WorkerConfig } from '../shared/config.ts';
import { openDatabase } from '../shared/db/client.ts';
import { pingDatabase } from '../shared/db/ping.ts';
import { createLogger } from '../shared/logger.ts';
import { startOperationsServer } from '../shared/operations-server.ts';
import { createQueues } from '../shared/queue/queues.ts';
import { closeRedis, openRedis, redisReady } from '../shared/queue/redis.ts';
import { requireNoEviction } from '../shared/queue/redis-policy.ts';
import { createReadiness } from '../shared/readiness.ts';
import { onShutdown } from '../shared/shutdown.ts';
import { createFontRegistry } from '../shared/storage/font-registry.ts';
import { createObjectStore } from '../shared/storage/objects.ts';
import { createTransientStore } from '../shared/storage/transient.ts';
import { announceFonts } from './announce-fonts.ts';
import { createTemplateCache } from './document/template-cache.ts';
import { closeEngines, startEngines } from './engines.ts';
import { keepSchedules } from './keep-schedules.ts';
import { startWorkers } from './start-workers.ts';

async function main(config: WorkerConfig): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL, 'worker');
  const database = openDatabase(
    {
      url: config.DATABASE_URL,
      poolSize: config.DATABASE_POOL_SIZE,
      timeoutMs: config.DATABASE_TIMEOUT_MS,
      applicationName: 'docmill-worker',
    },
    logger,
  );
  const redis = openRedis(config.REDIS_URL, 'commands', logger);
  const blocking = openRedis(config.REDIS_URL, 'blocking', logger);
  await redisReady(redis, 30_000);
  await requireNoEviction(redis);
  const objects = createObjectStore({
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    timeoutMs: config.S3_TIMEOUT_MS,
  });
  const engines = await startEngines(config, logger);
  const queues = createQueues(redis, config.QUEUE_PREFIX, logger);
  const workers = startWorkers(
    {
      config,
      logger,
      db: database.db,
      redis,
      queues,
      objects,
      transient: createTransientStore(redis, config.QUEUE_PREFIX),
      templates: createTemplateCache(objects, config.TEMPLATE_CACHE_MB * 1024 * 1024),
      ...engines,
    },
    blocking,
    config.WORKER_LANES,
  );
  const schedules = await keepSchedules(queues, config, logger);
  const { office } = engines;
  const fonts =
    office === undefined ? undefined : await announceFonts(createFontRegistry(redis, config.QUEUE_PREFIX), logger);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const operations = await startOperationsServer({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    registry,
    readiness: createReadiness([
      { name: 'database', check: () => pingDatabase(database.db) },
      { name: 'redis', check: async () => (await redis.ping()) === 'PONG' },
      { name: 'storage', check: () => objects.isReachable() },
      { name: 'queues', check: async () => workers.isRunning() },
      ...(office === undefined ? [] : [{ name: 'office', check: async () => office.status().isReady }]),
    ]),
    describe: () => ({ lanes: config.WORKER_LANES, office: office?.status() }),
  });
  logger.info({ lanes: config.WORKER_LANES, metricsPort: operations.port, jail: office?.status().jail }, 'taking work');
  onShutdown(logger, [
    { name: 'schedules', timeoutMs: 1_000, run: () => schedules?.stop() },
    { name: 'jobs', timeoutMs: config.SHUTDOWN_TIMEOUT_MS, run: () => workers.close() },
    { name: 'operations server', timeoutMs: 1_000, run: () => operations.close() },
    { name: 'fonts', timeoutMs: 1_000, run: () => fonts?.stop() },
    { name: 'engines', timeoutMs: 10_000, run: () => closeEngines(engines) },
    { name: 'queues', timeoutMs: 5_000, run: () => queues.close() },
    {
      name: 'redis',
      timeoutMs: 2_000,
      run: async () => void (await Promise.all([closeRedis(redis), closeRedis(blocking)])),
    },
    { name: 'storage', timeoutMs: 1_000, run: () => objects.close() },
    { name: 'database', timeoutMs: 5_000, run: () => database.close() },
  ]);
}

try {
  await main(loadWorkerConfig());
} catch (error) {
  const text = error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
