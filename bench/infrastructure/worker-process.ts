import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { loadWorkerConfig } from '../../src/shared/config/load-config.ts';
import { openConnections } from '../../src/shared/connections.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { startOperationsServer } from '../../src/shared/operations-server.ts';
import { createReadiness } from '../../src/shared/readiness.ts';
import { runUntilShutdown } from '../../src/shared/shutdown.ts';
import { startWorkers } from '../../src/worker/start-workers.ts';
import { workerDependencies } from '../harness/worker-dependencies.ts';

/** A production worker with simulated engines. */
const config = loadWorkerConfig();
const logger = createLogger(config.LOG_LEVEL, 'worker');
const connections = await openConnections(config, { name: 'docmill-bench', listenerRole: 'blocking' }, logger);
const work = {
  renderMs: Number(process.env.BENCH_RENDER_MS),
  convertMs: Number(process.env.BENCH_CONVERT_MS),
  slots: config.OFFICE_SLOTS,
  docx: readFileSync(process.env.BENCH_DOCX ?? ''),
  pdf: Buffer.alloc(Number(process.env.BENCH_PDF_BYTES), '%PDF-1.7\n'),
};
const registry = new Registry();
const deps = workerDependencies({ config, logger, connections, registry }, work);
const workers = startWorkers(deps, connections.listener, config.WORKER_QUEUES);
const operations = await startOperationsServer({
  host: config.METRICS_HOST,
  port: config.METRICS_PORT,
  registry,
  readiness: createReadiness([{ name: 'queues', check: async () => workers.isRunning() }]),
});
await runUntilShutdown(logger, async ({ first }) =>
  first(
    { name: 'jobs', timeoutMs: 5_000, run: () => workers.close() },
    { name: 'operations server', timeoutMs: 1_000, run: () => operations.close() },
    ...connections.closing,
  ),
);
