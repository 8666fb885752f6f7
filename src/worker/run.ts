import { collectDefaultMetrics, Registry } from 'prom-client';
import { plannedMb } from '../shared/config/engine-counts.ts';
import { ConfigError, loadWorkerConfig, type WorkerConfig } from '../shared/config/load-config.ts';
import { type MachineSize, readMachineSize } from '../shared/config/machine-size.ts';
import { openConnections } from '../shared/connections.ts';
import { untilSchemaFits } from '../shared/db/schema-state.ts';
import { createClaimer } from '../shared/domain/documents/claim-document.ts';
import { createSettler } from '../shared/domain/documents/succeed-document.ts';
import { createSecretBox } from '../shared/domain/webhooks/secret-box.ts';
import { engineVersionOf } from '../shared/engine-version.ts';
import { newId } from '../shared/ids.ts';
import { createLogger, type Logger, logFailedStart } from '../shared/logger.ts';
import { watchCaches } from '../shared/metrics/watch-caches.ts';
import { watchDatabase } from '../shared/metrics/watch-database.ts';
import { watchReadiness } from '../shared/metrics/watch-readiness.ts';
import { watchStatements } from '../shared/metrics/watch-statements.ts';
import { watchTelemetry } from '../shared/metrics/watch-telemetry.ts';
import { startOperationsServer } from '../shared/operations-server.ts';
import { createEngineRegistry } from '../shared/queue/engine-registry.ts';
import { createReadiness } from '../shared/readiness.ts';
import { reportMissingKeys } from '../shared/report-missing-keys.ts';
import { runUntilShutdown, type Shutdown } from '../shared/shutdown.ts';
import { createStages } from '../shared/stages.ts';
import { createFontRegistry } from '../shared/storage/font-registry.ts';
import { startTracing } from '../shared/tracing/start-tracing.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';
import { type Pauses, watchPauses } from '../shared/watch-pauses.ts';
import { announceEngine } from './announce-engine.ts';
import { announceWorker } from './announce-worker.ts';
import { createPriorityGate } from './batches/priority-gate.ts';
import { dispatchIntervals, startDispatcher } from './batches/start-dispatcher.ts';
import type { WorkerDeps } from './deps.ts';
import { startProver } from './direct-pdf/direct-layout.ts';
import { openDirectLayout } from './direct-pdf/open-direct-layout.ts';
import { createCoverageLoader, createFontLoader } from './documents/account-fonts.ts';
import { createAssetLoader } from './documents/load-assets.ts';
import { createWordsLoader } from './documents/load-words.ts';
import { createTemplateCache } from './documents/template-cache.ts';
import { closeEngines, type Engines, startEngines } from './engines.ts';
import { scheduleSweeps } from './maintenance/schedule-sweeps.ts';
import { watchPartitions } from './maintenance/watch-partitions.ts';
import { createWorkerMetrics, watchEngines, watchMachine, watchServedQueues } from './metrics.ts';
import { readInstalledVersion } from './pdf/office/installed-version.ts';
import { sweepIntervals } from './processors/maintenance.ts';
import { type RunningWorkers, startWorkers } from './start-workers.ts';
import { watchFonts } from './watch-fonts.ts';

async function main(machine: MachineSize, config: WorkerConfig): Promise<void> {
  const tracing = await startTracing(config, 'docmill-worker');
  const logger = createLogger(config.LOG_LEVEL, 'worker', tracing?.onLine);
  tracing?.reportTo(logger);
  reportMachine(machine, config, logger);
  await runUntilShutdown(logger, (shutdown) => start({ config, machine, tracing, logger, shutdown }));
}

interface Start {
  readonly config: WorkerConfig;
  readonly machine: MachineSize;
  readonly tracing: Tracing | undefined;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}

async function start({ config, machine, tracing, logger, shutdown }: Start): Promise<void> {
  shutdown.first({ name: 'spans', timeoutMs: 3_000, run: () => tracing?.close() });
  const of = { name: 'docmill-worker', listenerRole: 'blocking', tracing } as const;
  const connections = await openConnections(config, of, logger);
  const { database, redis, listener, queues, transient, objects, bucket } = connections;
  shutdown.first(...connections.closing);
  shutdown.signal.throwIfAborted();
  const engines = await startEngines(config, logger, shutdown.signal);
  shutdown.first({ name: 'engines', timeoutMs: 10_000, run: () => closeEngines(engines) });
  const engineVersion = await findEngineVersion(config, engines);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const templates = createTemplateCache(objects, config.TEMPLATE_CACHE_MB * 1024 * 1024);
  watchDatabase(registry, database.pool);
  const statements = watchStatements(registry, ['claim', 'settle']);
  watchCaches(registry, { template: templates.counts });
  watchEngines(registry, engines);
  watchMachine(registry, machine);
  watchPartitions(registry, database.db);
  const { office } = engines;
  const fonts =
    office === undefined && engines.batch === undefined
      ? undefined
      : await watchFonts(createFontRegistry(redis, config.QUEUE_PREFIX), logger, config.OFFICE_PATH);
  shutdown.first({ name: 'fonts', timeoutMs: 1_000, run: () => fonts?.stop() });
  const direct = await openDirectLayout(config, fonts, logger);
  shutdown.first({ name: 'direct layout', timeoutMs: 5_000, run: () => direct?.close() });
  const hasMaintenance = config.WORKER_QUEUES.includes('maintenance');
  const unpausedDeps: WorkerDeps = {
    config,
    logger,
    tracing,
    db: database.db,
    redis,
    queues,
    objects,
    bucket,
    transient,
    stages: createStages(registry),
    metrics: createWorkerMetrics(registry, hasMaintenance ? { ...sweepIntervals(config), ...dispatchIntervals } : {}),
    claim: createClaimer(database.db, config.DATABASE_TIMEOUT_MS / 2, engineVersion, statements.claim),
    engineVersion,
    succeed: createSettler(database.db, config.DATABASE_TIMEOUT_MS / 2, statements.settle),
    templates,
    loadAssets: createAssetLoader(database.db, objects, config.ASSET_CACHE_MB * 1024 * 1024),
    loadWords: createWordsLoader(database.db, 16 * 1024 * 1024),
    fonts,
    loadFont: createFontLoader(objects, config.FONT_CACHE_MB * 1024 * 1024),
    loadCoverage: createCoverageLoader(database.db, 1_000),
    ...engines,
    direct,
  };
  let workers: RunningWorkers | undefined;
  let pauses: Pauses | undefined;
  const readiness = createReadiness([
    ...connections.checks,
    { name: 'queues', check: async () => workers?.isRunning() ?? false },
    ...(office === undefined ? [] : [{ name: 'office', check: async () => office.status().isReady }]),
  ]);
  watchReadiness(registry, readiness);
  watchTelemetry(registry, tracing);
  const operations = await startOperationsServer({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    registry,
    readiness,
    describe: () => ({
      queues: config.WORKER_QUEUES,
      machine,
      office: office?.status(),
      paused: pauses?.describe(),
      problem: bucket.problem(),
    }),
  });
  shutdown.first({ name: 'operations server', timeoutMs: 1_000, run: () => operations.close() });
  await untilSchemaFits(connections.schema, shutdown.signal);
  await bucket.untilNotForeign(shutdown.signal);
  pauses = await watchPauses(database.db, logger);
  let announcement: Awaited<ReturnType<typeof announceWorker>> | undefined;
  shutdown.first(
    { name: 'pauses', timeoutMs: 1_000, run: () => pauses?.stop() },
    { name: 'announcement', timeoutMs: 2_000, run: () => announcement?.stop() },
  );
  shutdown.signal.throwIfAborted();
  const deps: WorkerDeps = { ...unpausedDeps, pauses };
  const gate = createPriorityGate(machine.cpus);
  const running = startWorkers(deps, listener, config.WORKER_QUEUES, gate);
  shutdown.first({ name: 'jobs', timeoutMs: config.SHUTDOWN_TIMEOUT_MS, run: () => running.close() });
  watchServedQueues(registry, running.served);
  const prover =
    direct && startProver({ ...deps, ...ownEngines(engines), yieldToInteractive: gate.yieldToInteractive }, direct);
  shutdown.first({ name: 'comparison of templates', timeoutMs: 5_000, run: () => prover?.stop() });
  const workerId = newId('wrk');
  const dispatcher = startDispatcher(deps);
  shutdown.first({ name: 'dispatcher', timeoutMs: config.SHUTDOWN_TIMEOUT_MS, run: () => dispatcher?.stop() });
  const schedules = await scheduleSweeps(queues, config, logger);
  shutdown.first({ name: 'schedules', timeoutMs: 1_000, run: () => schedules?.stop() });
  const registries = (['pdf', 'pdf-batch'] as const)
    .filter((queue) => config.WORKER_QUEUES.includes(queue))
    .map((queue) => createEngineRegistry(redis, config.QUEUE_PREFIX, queue));
  const engine = engineVersion === undefined ? undefined : await announceEngine(registries, engineVersion, logger);
  // Runs first, so that no new work waits for this engine.
  shutdown.first({ name: 'engine', timeoutMs: 1_000, run: () => engine?.stop() });
  // Set only now, because the last other worker with this engine may be stopped as soon as this one is ready.
  workers = running;
  if (config.WORKER_QUEUES.includes('webhook')) {
    void reportMissingKeys(deps.db, createSecretBox(config.WEBHOOK_SECRET_KEY), logger);
  }
  logger.info(
    {
      workerId,
      queues: config.WORKER_QUEUES,
      metricsPort: operations.port,
      jail: office?.status().jail,
      engine: engineVersion,
    },
    'worker ready',
  );
  /** Stops taking jobs, and exits when the jobs in progress have ended, however long they take. */
  const drain = async (): Promise<void> => {
    logger.info({ jobs: running.jobs() }, 'draining at the request of the operator');
    await engine?.stop();
    schedules?.stop();
    await Promise.all([dispatcher?.stop(), running.close()]);
    shutdown.begin();
  };
  announcement = await announceWorker(database.db, logger, {
    workerId,
    queues: running.queues,
    jobs: () => running.jobs(),
    recent: () => running.recent(),
    onDrain: () => void drain().catch((error: unknown) => logger.error({ err: error }, 'draining failed')),
  });
}

/** The engines for comparing pages: the interactive ones, or those of batches in a worker that serves nothing else. */
function ownEngines({ office, batch }: Engines): Pick<Engines, 'docx' | 'office'> | undefined {
  return office === undefined ? batch : undefined;
}

/** The version of LibreOffice, if a served queue needs it. Batch engines are not started for this. */
async function findEngineVersion(config: WorkerConfig, { office }: Engines): Promise<string | undefined> {
  const queues = new Set(config.WORKER_QUEUES);
  if (!queues.has('pdf') && !queues.has('pdf-batch')) return undefined;
  return engineVersionOf(office?.status().engine?.version ?? (await readInstalledVersion(config.OFFICE_PATH)));
}

/** Logs the figures by which the engines were sized, and warns if they may need more memory than is available. */
function reportMachine(machine: MachineSize, config: WorkerConfig, logger: Logger): void {
  const { RENDER_PROCESSES, OFFICE_SLOTS, BATCH_RENDER_PROCESSES, BATCH_OFFICE_SLOTS, WORKER_QUEUES } = config;
  const engines = { RENDER_PROCESSES, OFFICE_SLOTS, BATCH_RENDER_PROCESSES, BATCH_OFFICE_SLOTS };
  const neededMb = plannedMb(config, WORKER_QUEUES);
  const { cpus, hasCpuQuota } = machine;
  const memoryMb = Math.floor(machine.memoryBytes / 1024 ** 2);
  const entry = { cpus, hasCpuQuota, memoryMb, neededMb, engines };
  if (neededMb > memoryMb) logger.warn(entry, 'the engines may need more memory than this machine has');
  else logger.info(entry, 'engines sized for this machine');
}

try {
  await main(readMachineSize(), loadWorkerConfig());
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logFailedStart('worker', error);
  process.exit(1);
}
