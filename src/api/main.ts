import { collectDefaultMetrics, Registry } from 'prom-client';
import { type ApiConfig, ConfigError, loadApiConfig } from '../shared/config/load-config.ts';
import { openConnections } from '../shared/connections.ts';
import { createOnceAcceptor } from '../shared/domain/generations/accept-once-in-turn.ts';
import { createAcceptor } from '../shared/domain/generations/accept-together.ts';
import { createSecretBox } from '../shared/domain/webhooks/secret-box.ts';
import { createTargetPolicy } from '../shared/domain/webhooks/target-policy.ts';
import { newId } from '../shared/ids.ts';
import { createLogger } from '../shared/logger.ts';
import { watchCaches } from '../shared/metrics/watch-caches.ts';
import { watchDatabase } from '../shared/metrics/watch-database.ts';
import { watchQueues } from '../shared/metrics/watch-queues.ts';
import { startOperationsServer } from '../shared/operations-server.ts';
import { createBacklogReader } from '../shared/queue/backlog.ts';
import { openReplyChannel } from '../shared/queue/replies.ts';
import { createReadiness } from '../shared/readiness.ts';
import { onShutdown } from '../shared/shutdown.ts';
import { createStages } from '../shared/stages.ts';
import { createFontRegistry } from '../shared/storage/font-registry.ts';
import { createApp } from './app.ts';
import { createBatchWatch } from './batches/batch-watch.ts';
import { isBatchUpload } from './batches/is-batch-upload.ts';
import { createUploadGate } from './batches/upload-gate.ts';
import { createResultWaiter } from './generation/await-result.ts';
import { createBacklogGate } from './generation/backlog-gate.ts';
import { createApiMetrics, watchWaiting } from './metrics.ts';
import { createKeyCache } from './middleware/key-cache.ts';
import { createRateLimiter } from './middleware/rate-limit.ts';
import { serve } from './server.ts';
import { createFontJudge } from './template-fonts.ts';

const lookEveryMs = 2_000;

async function main(config: ApiConfig): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL, 'api');
  const connections = await openConnections(config, { name: 'docmill-api', listenerRole: 'subscriber' }, logger);
  const { database, redis, listener, queues, transient, objects } = connections;
  const replies = await openReplyChannel(listener, `${config.QUEUE_PREFIX}:replies:${newId('api')}`, logger);
  await objects.prepare().catch((error: unknown) => logger.warn({ err: error }, 'the bucket could not be looked at'));
  let draining = (): boolean => false;
  const readiness = createReadiness([{ name: 'accepting', check: async () => !draining() }, ...connections.checks]);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const results = createResultWaiter({
    db: database.db,
    replies,
    logger,
    waitLimitMs: config.WAIT_LIMIT_MS,
    lookEveryMs,
    maxWaiting: config.MAX_WAITING,
    maxWaitingPerAccount: config.MAX_WAITING_PER_ACCOUNT,
  });
  const keys = createKeyCache(database.db, config.KEY_CACHE_SECONDS);
  watchDatabase(registry, database.pool);
  watchQueues(registry, queues);
  watchWaiting(registry, results);
  watchCaches(registry, { key: keys.counts });
  const batchWatch = createBatchWatch({
    db: database.db,
    logger,
    everyMs: 1_000,
    maxListeners: config.BATCH_LISTENERS,
    maxListenersPerAccount: config.BATCH_LISTENERS_PER_ACCOUNT,
  });
  const app = createApp(
    {
      config,
      logger,
      db: database.db,
      redis,
      queues,
      objects,
      transient,
      accept: createAcceptor(database.db, config.DATABASE_TIMEOUT_MS / 2),
      acceptOnce: createOnceAcceptor(database.db, config.DATABASE_POOL_SIZE, config.DATABASE_TIMEOUT_MS / 2),
      stages: createStages(registry),
      metrics: createApiMetrics(registry),
      keys,
      fonts: createFontJudge(createFontRegistry(redis, config.QUEUE_PREFIX), logger),
      secrets: createSecretBox(config.WEBHOOK_SECRET_KEY),
      targets: createTargetPolicy({
        allowHttp: config.WEBHOOK_ALLOW_HTTP,
        allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
      }),
      batchWatch,
      batchUploads: createUploadGate({
        maxUploads: config.BATCH_UPLOADS,
        maxUploadsPerAccount: config.BATCH_UPLOADS_PER_ACCOUNT,
        maxWriting: 2,
      }),
      limiter: createRateLimiter(redis, {
        requests: config.RATE_LIMIT_REQUESTS,
        windowSeconds: config.RATE_LIMIT_WINDOW_SECONDS,
        prefix: config.QUEUE_PREFIX,
      }),
      backlog: createBacklogGate({
        reader: createBacklogReader(redis, config.QUEUE_PREFIX, queues),
        waiting: { depth: config.QUEUE_DEPTH_LIMIT, ageMs: config.QUEUE_AGE_LIMIT_MS },
        later: { depth: config.QUEUE_DEPTH_LIMIT_ASYNC, ageMs: config.QUEUE_AGE_LIMIT_ASYNC_MS },
      }),
      results,
    },
    readiness,
  );
  const service = await serve({
    host: config.HOST,
    port: config.PORT,
    maxConnections: config.MAX_CONNECTIONS,
    fetch: app.fetch,
    isLong: isBatchUpload,
    unreadMs: 60_000,
  });
  draining = service.isDraining;
  // After the port of the clients: who is told that this process is ready may send.
  const operations = await startOperationsServer({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    registry,
    readiness,
  });
  logger.info({ address: service.address, metricsPort: operations.port }, 'listening');
  onShutdown(logger, [
    { name: 'listeners', timeoutMs: 1_000, run: () => batchWatch.close() },
    {
      name: 'requests',
      timeoutMs: config.DRAIN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS,
      run: () => service.drain(config.DRAIN_DELAY_MS),
    },
    { name: 'operations server', timeoutMs: 1_000, run: () => operations.close() },
    { name: 'replies', timeoutMs: 1_000, run: () => replies.close() },
    ...connections.closing,
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
