import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { loadWorkerConfig } from '../../src/shared/config/load-config.ts';
import { openConnections } from '../../src/shared/connections.ts';
import { createClaimer } from '../../src/shared/domain/generations/claim-generation.ts';
import { createSettler } from '../../src/shared/domain/generations/succeed-generation.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { startOperationsServer } from '../../src/shared/operations-server.ts';
import { createReadiness } from '../../src/shared/readiness.ts';
import { onShutdown } from '../../src/shared/shutdown.ts';
import { createStages } from '../../src/shared/stages.ts';
import { createCoverageLoader, createFontLoader } from '../../src/worker/generation/account-fonts.ts';
import { createAssetLoader } from '../../src/worker/generation/load-assets.ts';
import { createTemplateCache } from '../../src/worker/generation/template-cache.ts';
import { createWorkerMetrics } from '../../src/worker/metrics.ts';
import { startWorkers } from '../../src/worker/start-workers.ts';
import { simulatedDocx, simulatedOffice } from './simulated-engines.ts';

/** A production worker with simulated engines. */
const config = loadWorkerConfig();
const logger = createLogger(config.LOG_LEVEL, 'worker');
const connections = await openConnections(config, { name: 'docmill-bench', listenerRole: 'blocking' }, logger);
const { database, redis, listener, queues, transient, objects } = connections;
const work = {
  renderMs: Number(process.env.BENCH_RENDER_MS),
  convertMs: Number(process.env.BENCH_CONVERT_MS),
  slots: config.OFFICE_SLOTS,
  docx: readFileSync(process.env.BENCH_DOCX ?? ''),
  pdf: Buffer.alloc(Number(process.env.BENCH_PDF_BYTES), '%PDF-1.7\n'),
};
const cacheBytes = 64 * 1024 * 1024;
const registry = new Registry();
const deps = {
  ...{ config, logger, db: database.db, redis, queues, objects, transient },
  stages: createStages(registry),
  metrics: createWorkerMetrics(registry),
  claim: createClaimer(database.db, config.DATABASE_TIMEOUT_MS / 2),
  succeed: createSettler(database.db, config.DATABASE_TIMEOUT_MS / 2),
  templates: createTemplateCache(objects, cacheBytes),
  loadAssets: createAssetLoader(database.db, objects, cacheBytes),
  loadFont: createFontLoader(database.db, objects, cacheBytes),
  loadCoverage: createCoverageLoader(database.db, 1_000),
  docx: simulatedDocx(work),
  office: simulatedOffice(work),
  conformance: undefined,
  mailer: undefined,
  webhooks: undefined,
};
const workers = startWorkers(deps, listener, config.WORKER_QUEUES);
const operations = await startOperationsServer({
  host: config.METRICS_HOST,
  port: config.METRICS_PORT,
  registry,
  readiness: createReadiness([{ name: 'queues', check: async () => workers.isRunning() }]),
});
onShutdown(logger, [
  { name: 'jobs', timeoutMs: 5_000, run: () => workers.close() },
  { name: 'operations server', timeoutMs: 1_000, run: () => operations.close() },
  ...connections.closing,
]);
