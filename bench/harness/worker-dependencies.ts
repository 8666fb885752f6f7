import type { Registry } from 'prom-client';
import type { WorkerConfig } from '../../src/shared/config/load-config.ts';
import type { Connections } from '../../src/shared/connections.ts';
import { createClaimer } from '../../src/shared/domain/documents/claim-document.ts';
import { createSettler } from '../../src/shared/domain/documents/succeed-document.ts';
import type { Logger } from '../../src/shared/logger.ts';
import { createStages } from '../../src/shared/stages.ts';
import type { WorkerDeps } from '../../src/worker/deps.ts';
import { createCoverageLoader, createFontLoader } from '../../src/worker/documents/account-fonts.ts';
import { createAssetLoader } from '../../src/worker/documents/load-assets.ts';
import { createWordsLoader } from '../../src/worker/documents/load-words.ts';
import { createTemplateCache } from '../../src/worker/documents/template-cache.ts';
import { createWorkerMetrics } from '../../src/worker/metrics.ts';
import { type SimulatedWork, simulatedDocx, simulatedOffice } from './simulated-engines.ts';

const cacheBytes = 64 * 1024 * 1024;

interface BenchProcess {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly connections: Connections;
  readonly registry: Registry;
}

/** The dependencies of a production worker, with simulated engines. */
export function workerDependencies(process: BenchProcess, work: SimulatedWork): WorkerDeps {
  const { config, logger, connections, registry } = process;
  const { database, redis, queues, objects, bucket, transient } = connections;
  return {
    config,
    logger,
    db: database.db,
    redis,
    queues,
    objects,
    bucket,
    transient,
    stages: createStages(registry),
    metrics: createWorkerMetrics(registry),
    claim: createClaimer(database.db, config.DATABASE_TIMEOUT_MS / 2),
    succeed: createSettler(database.db, config.DATABASE_TIMEOUT_MS / 2),
    templates: createTemplateCache(objects, cacheBytes),
    loadAssets: createAssetLoader(database.db, objects, cacheBytes),
    loadWords: createWordsLoader(database.db, cacheBytes),
    loadFont: createFontLoader(objects, cacheBytes),
    loadCoverage: createCoverageLoader(database.db, 1_000),
    docx: simulatedDocx(work),
    office: simulatedOffice(work),
    conformance: undefined,
    mailer: undefined,
    webhooks: undefined,
  };
}
