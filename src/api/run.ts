import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type ApiConfig, ConfigError, loadApiConfig } from '../shared/config/load-config.ts';
import { openConnections } from '../shared/connections.ts';
import { createAcceptor } from '../shared/domain/documents/accept-document.ts';
import { createOnceAcceptor } from '../shared/domain/documents/accept-once.ts';
import { findOperatorKey } from '../shared/domain/operators/operator-keys.ts';
import { createSecretBox } from '../shared/domain/webhooks/secret-box.ts';
import { createTargetPolicy } from '../shared/domain/webhooks/target-policy.ts';
import { newId } from '../shared/ids.ts';
import { createKeyedLimiter } from '../shared/keyed-limiter.ts';
import { createLogger, type Logger, logFailedStart } from '../shared/logger.ts';
import { watchCaches } from '../shared/metrics/watch-caches.ts';
import { watchDatabase } from '../shared/metrics/watch-database.ts';
import { watchQueues } from '../shared/metrics/watch-queues.ts';
import { watchReadiness } from '../shared/metrics/watch-readiness.ts';
import { watchStatements } from '../shared/metrics/watch-statements.ts';
import { watchTelemetry } from '../shared/metrics/watch-telemetry.ts';
import { watchWaitingData } from '../shared/metrics/watch-waiting-data.ts';
import { type OperationsServer, startOperationsServer } from '../shared/operations-server.ts';
import { createEngineRegistry } from '../shared/queue/engine-registry.ts';
import { openReplyChannel } from '../shared/queue/replies.ts';
import { createReadiness } from '../shared/readiness.ts';
import { readPublicKey, readSigningKey } from '../shared/receipts/signing-key.ts';
import { reportMissingKeys } from '../shared/report-missing-keys.ts';
import { type RequestTrace, traceFields } from '../shared/request-trace.ts';
import { runUntilShutdown, type Shutdown } from '../shared/shutdown.ts';
import { createStages } from '../shared/stages.ts';
import { createFontRegistry } from '../shared/storage/font-registry.ts';
import { startTracing } from '../shared/tracing/start-tracing.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import { type Pauses, watchPauses } from '../shared/watch-pauses.ts';
import type { ApiDeps } from './api-deps.ts';
import { createApp } from './app.ts';
import { createBatchMonitor } from './batches/batch-monitor.ts';
import { createResultReceiver } from './documents/await-result.ts';
import { createBacklogGate } from './documents/backlog-gate.ts';
import { createDocumentLimit, measureLoopDelay } from './documents/document-limit.ts';
import { createEngineGate } from './documents/engine-gate.ts';
import { startErasures } from './erasure/run-erasures.ts';
import { createAccountLimit } from './http/account-limit.ts';
import { createJsonParser } from './http/json-parser.ts';
import { maxJsonBytes } from './http/read-json.ts';
import { createApiMetrics, watchWaitingRequests } from './metrics.ts';
import { callerOf } from './middleware/authenticate.ts';
import { createKeyCache } from './middleware/key-cache.ts';
import { createKeyUseRecorder } from './middleware/key-use-recorder.ts';
import { createOperatorLimiters } from './middleware/operator-rate-limit.ts';
import { createRateLimiter } from './middleware/rate-limit.ts';
import { type Brand, loadBrand } from './pages/brand/brand.ts';
import { isBatchUpload } from './routes/batches/create.ts';
import { createFontReporter } from './routes/templates/font-reports.ts';
import { serve } from './server.ts';
import { loadSignIn, type SignInSettings } from './sign-in/load-sign-in.ts';
import { createSignIn } from './sign-in/sign-in.ts';

async function main(config: ApiConfig): Promise<void> {
  const tracing = await startTracing(config, 'docmill-api');
  const logger = createLogger(config.LOG_LEVEL, 'api', tracing?.onLine);
  tracing?.reportTo(logger);
  await runUntilShutdown(logger, (shutdown) => start({ config, tracing, logger, shutdown }));
}

interface Start {
  readonly config: ApiConfig;
  readonly tracing: Tracing | undefined;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}

async function start({ config, tracing, logger, shutdown }: Start): Promise<void> {
  const brand = loadBrand(config);
  const signIn = loadSignIn(config);
  shutdown.first({ name: 'spans', timeoutMs: 3_000, run: () => tracing?.close() });
  const of = { name: 'docmill-api', listenerRole: 'subscriber', tracing } as const;
  const connections = await openConnections(config, of, logger);
  shutdown.first(...connections.closing);
  shutdown.signal.throwIfAborted();
  const replies = await openReplyChannel(
    connections.listener,
    `${config.QUEUE_PREFIX}:replies:${newId('api')}`,
    logger,
  );
  shutdown.first({ name: 'replies', timeoutMs: 1_000, run: () => replies.close() });
  await connections.objects.prepare().catch((error: unknown) => {
    logger.warn({ err: error }, 'the bucket could not be checked');
  });
  // A new installation marks its bucket before the first upload. `/readyz` reports failures.
  await connections.bucket.verify().catch(() => undefined);
  let isDraining = (): boolean => false;
  const readiness = createReadiness(connections.checks, () => !isDraining());
  const registry = new Registry();
  const pauses = await watchPauses(connections.database.db, logger);
  shutdown.first({ name: 'pauses', timeoutMs: 1_000, run: () => pauses.stop() });
  shutdown.signal.throwIfAborted();
  const deps = createDeps(config, { connections, replies, registry, logger, tracing, pauses, brand, signIn });
  collectDefaultMetrics({ register: registry });
  watchDatabase(registry, connections.database.pool);
  watchQueues(registry, deps.queues, pauses);
  watchWaitingData(registry, connections.transient, config.WAITING_DATA_MB * 1024 * 1024);
  watchReadiness(registry, readiness);
  watchTelemetry(registry, tracing);
  watchWaitingRequests(registry, deps.waitingRequests);
  watchCaches(registry, { key: deps.keys.counts });
  const listener = {
    maxConnections: config.MAX_CONNECTIONS,
    callerOf: (request: IncomingMessage) => callerOf(deps.keys, request),
    isLargeUpload: isBatchUpload,
    unreadTimeoutMs: 60_000,
    onRefused: (trace: RequestTrace, reason: string) =>
      logger.info(
        { ...traceFields(trace), status: 400, outcome: 'rejected', errorCode: 'invalid_request', reason },
        'request',
      ),
  };
  const service = await serve({
    ...listener,
    host: config.HOST,
    port: config.PORT,
    fetch: createApp(deps, readiness, config.ADMIN_PORT === undefined ? 'all' : 'public').fetch,
  });
  isDraining = service.isDraining;
  const admin =
    config.ADMIN_PORT === undefined
      ? undefined
      : await serve({
          ...listener,
          host: config.ADMIN_HOST,
          port: config.ADMIN_PORT,
          fetch: createApp(deps, readiness, 'admin').fetch,
        });
  const { db, objects, redis, queues } = deps;
  const stores = { db, objects, redis, queues, prefix: config.QUEUE_PREFIX };
  const erasures = startErasures(stores, logger, hostname());
  let operations: OperationsServer | undefined;
  shutdown.first(
    { name: 'erasures', timeoutMs: 1_000, run: () => erasures.stop() },
    { name: 'listeners', timeoutMs: 1_000, run: () => deps.batchMonitor.close() },
    {
      name: 'requests',
      timeoutMs: config.DRAIN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS,
      run: async () => {
        await Promise.all([service, admin].map((each) => each?.drain(config.DRAIN_DELAY_MS)));
      },
    },
    { name: 'use of keys', timeoutMs: 2_000, run: () => deps.keyUse.close() },
    { name: 'JSON thread', timeoutMs: 1_000, run: () => deps.json.close() },
    { name: 'operations server', timeoutMs: 1_000, run: () => operations?.close() },
  );
  // Started after the API port is open: once this process reports ready, requests may arrive.
  operations = await startOperationsServer({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    registry,
    readiness,
    describe: () => ({ paused: pauses.describe(), problem: connections.bucket.problem() }),
  });
  void reportMissingKeys(deps.db, deps.secrets, logger);
  logger.info({ address: service.address, adminAddress: admin?.address, metricsPort: operations.port }, 'listening');
}

interface Infrastructure {
  readonly connections: Awaited<ReturnType<typeof openConnections>>;
  readonly replies: Awaited<ReturnType<typeof openReplyChannel>>;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly tracing: Tracing | undefined;
  readonly pauses: Pauses;
  readonly brand: Brand | undefined;
  readonly signIn: SignInSettings | undefined;
}

function createDeps(
  config: ApiConfig,
  { connections, replies, registry, logger, tracing, pauses, brand, signIn }: Infrastructure,
): ApiDeps {
  const { redis, queues, transient, objects } = connections;
  const { db } = connections.database;
  return {
    config,
    logger,
    tracing,
    db,
    redis,
    queues,
    pauses,
    brand,
    signIn:
      signIn === undefined
        ? undefined
        : createSignIn(signIn, { db, redis, prefix: config.QUEUE_PREFIX, cacheSeconds: config.KEY_CACHE_SECONDS }),
    objects,
    transient,
    accept: createAcceptor(db, config.DATABASE_TIMEOUT_MS / 2, watchStatements(registry, ['reserve']).reserve),
    acceptOnce: createOnceAcceptor(db, config.DATABASE_POOL_SIZE, config.DATABASE_TIMEOUT_MS / 2),
    stages: createStages(registry),
    metrics: createApiMetrics(registry),
    keys: createKeyCache(db, config.KEY_CACHE_SECONDS),
    keyUse: createKeyUseRecorder(db, logger),
    findOperator: (operatorKey) => findOperatorKey(db, operatorKey),
    operatorLimiters: createOperatorLimiters(redis, config.ADMIN_REQUESTS_PER_MINUTE, config.QUEUE_PREFIX),
    limiter: createRateLimiter(redis, {
      requests: config.RATE_LIMIT_REQUESTS,
      windowSeconds: config.RATE_LIMIT_WINDOW_SECONDS,
      prefix: config.QUEUE_PREFIX,
    }),
    testLimiter: createRateLimiter(redis, {
      requests: config.TEST_RATE_LIMIT_REQUESTS,
      windowSeconds: config.TEST_RATE_LIMIT_WINDOW_SECONDS,
      prefix: `${config.QUEUE_PREFIX}:test`,
    }),
    previewLimiter: createRateLimiter(redis, {
      requests: config.PREVIEW_RATE_LIMIT_REQUESTS,
      windowSeconds: config.PREVIEW_RATE_LIMIT_WINDOW_SECONDS,
      prefix: `${config.QUEUE_PREFIX}:preview`,
    }),
    backlog: createBacklogGate(queues, {
      depth: config.QUEUE_DEPTH_LIMIT,
      accountDepth: config.QUEUE_DEPTH_LIMIT_PER_ACCOUNT,
      // When the oldest document has used half of its time, a new one would hardly be in time.
      accountAgeMs: { waiting: config.WAIT_LIMIT_MS / 2, later: config.DOCUMENT_DEADLINE_SECONDS * 500 },
    }),
    engines: createEngineGate(createEngineRegistry(redis, config.QUEUE_PREFIX, 'pdf')),
    results: createResultReceiver({ db, replies, logger, waitLimitMs: config.WAIT_LIMIT_MS, pollEveryMs: 2_000 }),
    waitingRequests: createAccountLimit({
      maxTotal: config.MAX_WAITING,
      maxPerAccount: config.MAX_WAITING_PER_ACCOUNT,
      message: 'Too many requests are waiting for their result. Try again shortly.',
      retryAfterSeconds: 2,
    }),
    documentLimit: createDocumentLimit({
      maxPerAccount: config.MAX_IN_PROGRESS_PER_ACCOUNT,
      maxLargePerAccount: Math.max(1, Math.floor((config.BODY_MEMORY_MB * 1024 * 1024) / 2 / maxJsonBytes)),
      readDelayMs: measureLoopDelay(),
    }),
    json: createJsonParser(),
    fonts: createFontReporter(db, createFontRegistry(redis, config.QUEUE_PREFIX), logger),
    secrets: createSecretBox(config.WEBHOOK_SECRET_KEY),
    targets: createTargetPolicy({
      allowHttp: config.WEBHOOK_ALLOW_HTTP,
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    }),
    ...readReceiptKeys(config),
    batchUploads: createAccountLimit({
      maxTotal: config.BATCH_UPLOADS,
      maxPerAccount: config.BATCH_UPLOADS_PER_ACCOUNT,
      message: 'Too many batches are being uploaded. Try again shortly.',
      retryAfterSeconds: 5,
    }),
    batchWrites: createKeyedLimiter({ maxPerKey: 2 }),
    batchMonitor: createBatchMonitor({
      db,
      logger,
      pollEveryMs: 1_000,
      listeners: createAccountLimit({
        maxTotal: config.BATCH_LISTENERS,
        maxPerAccount: config.BATCH_LISTENERS_PER_ACCOUNT,
        message: 'Too many clients are following batches. Try again shortly.',
        retryAfterSeconds: 5,
      }),
    }),
  };
}

function readReceiptKeys({ RECEIPT_SIGNING_KEY: signingKey, RECEIPT_RETIRED_KEYS: retired }: ApiConfig) {
  const receiptKey =
    signingKey === undefined ? undefined : readKey('RECEIPT_SIGNING_KEY', () => readSigningKey(signingKey));
  const current = receiptKey === undefined ? [] : [receiptKey.jwk];
  const before = retired.map((key) => readKey('RECEIPT_RETIRED_KEYS', () => readPublicKey(key)));
  return { receiptKey, receiptKeys: [...current, ...before] };
}

/** Reads a key. The error never contains the value. */
function readKey<Key>(name: string, read: () => Key): Key {
  try {
    return read();
  } catch {
    throw new ConfigError(`${name}: must be an Ed25519 key in PEM, or its DER form in base64`);
  }
}

try {
  await main(loadApiConfig());
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logFailedStart('api', error);
  process.exit(1);
}
