import { Registry } from 'prom-client';
import { loadWorkerConfig } from '../../src/shared/config/load-config.ts';
import { type Connections, openConnections } from '../../src/shared/connections.ts';
import { createClaimer } from '../../src/shared/domain/generations/claim-generation.ts';
import { createSettler } from '../../src/shared/domain/generations/succeed-generation.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { createStages } from '../../src/shared/stages.ts';
import type { WorkerDeps } from '../../src/worker/deps.ts';
import { createCoverageLoader, createFontLoader } from '../../src/worker/generation/account-fonts.ts';
import { createAssetLoader } from '../../src/worker/generation/load-assets.ts';
import { createTemplateCache } from '../../src/worker/generation/template-cache.ts';
import { createWorkerMetrics } from '../../src/worker/metrics.ts';
import { simulatedDocx, simulatedOffice } from '../infrastructure/simulated-engines.ts';

const cacheBytes = 64 * 1024 * 1024;

export interface BenchWorker {
  readonly deps: WorkerDeps;
  readonly connections: Connections;
  close(): Promise<void>;
}

/** The dependencies of a production worker in this process, with engines that return `docx` at once. */
export async function openWorker(variables: Readonly<Record<string, string>>, docx: Uint8Array): Promise<BenchWorker> {
  const config = loadWorkerConfig(variables);
  const logger = createLogger('silent', 'bench');
  const connections = await openConnections(config, { name: 'docmill-bench', listenerRole: 'blocking' }, logger);
  const { database, redis, queues, objects, transient } = connections;
  const work = { renderMs: 0, convertMs: 0, slots: 1, docx, pdf: docx };
  const registry = new Registry();
  await objects.prepare();
  return {
    connections,
    deps: {
      ...{ config, logger, db: database.db, redis, queues, objects, transient },
      stages: createStages(registry),
      metrics: createWorkerMetrics(registry),
      claim: createClaimer(database.db, config.DATABASE_TIMEOUT_MS),
      succeed: createSettler(database.db, config.DATABASE_TIMEOUT_MS),
      templates: createTemplateCache(objects, cacheBytes),
      loadAssets: createAssetLoader(database.db, objects, cacheBytes),
      loadFont: createFontLoader(database.db, objects, cacheBytes),
      loadCoverage: createCoverageLoader(database.db, 1_000),
      docx: simulatedDocx(work),
      office: simulatedOffice(work),
      conformance: undefined,
      mailer: undefined,
      webhooks: undefined,
    },
    async close() {
      for (const { run } of connections.closing) await run();
    },
  };
}
