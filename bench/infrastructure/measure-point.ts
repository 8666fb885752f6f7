import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startContender } from '../harness/contender-process.ts';
import { projectFolder } from '../harness/machine.ts';
import { type ProcessorTime, perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { quantile, rounded } from '../harness/statistics.ts';
import type { LoadSetup } from './load-process.ts';
import { type PostgresUse, postgresUse } from './postgres-meter.ts';
import { openRedisMeter, type RedisUse, redisUse } from './redis-meter.ts';
import type { EngineSettings, Infrastructure } from './stack.ts';

export interface Point {
  readonly format: 'docx' | 'pdf';
  readonly apis: number;
  /** The number of documents that the workers produce concurrently. */
  readonly slots: number;
  readonly accounts: number;
  /** Callers per slot; each waits for its document before sending the next request. */
  readonly callersPerSlot: number;
}

export interface Measured extends Point {
  readonly documents: number;
  readonly perSecond: number;
  /** The throughput of the slots if only the simulated work took time. */
  readonly idealPerSecond: number;
  readonly ofIdeal: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Milliseconds of one core per document, by kind of process, including the load generator. */
  readonly processorMs: ProcessorTime;
  /** The number of cores that these processes kept busy. */
  readonly coresBusy: number;
  readonly redis: RedisUse;
  readonly postgres: PostgresUse;
}

export type Tenant = LoadSetup['tenants'][number];

/** The request body for the example letter. */
export const letterBody = (format: Point['format']): string => {
  const data = JSON.parse(readFileSync(join(projectFolder, 'examples/letter.json'), 'utf8')) as object;
  return JSON.stringify({ data, output: { format } });
};

/** Warms up, then loads the service for some seconds and measures throughput, latency and cost per document. */
export async function measurePoint(
  infrastructure: Infrastructure,
  settings: EngineSettings,
  tenants: readonly Tenant[],
  point: Point,
  seconds: number,
): Promise<Measured> {
  const fleet = await infrastructure.startFleet(point.apis, point.slots);
  const redis = openRedisMeter(infrastructure.redis.redisUrl);
  const setup: LoadSetup = {
    urls: fleet.urls,
    tenants: tenants.slice(0, point.accounts),
    body: letterBody(point.format),
  };
  const load = await startContender(new URL('./load-process.ts', import.meta.url), setup);
  try {
    const concurrency = point.slots * point.callersPerSlot;
    const run = { minDocuments: concurrency, concurrency };
    await load.run({ ...run, forMs: 2_000 });
    const [redisBefore, postgresBefore] = await Promise.all([redis.count(), infrastructure.postgres.count()]);
    const before = readProcessorTime(fleet.pids);
    const sample = await load.run({ ...run, forMs: seconds * 1_000 });
    const used = perDocument(before, readProcessorTime(fleet.pids), sample.documents);
    const [redisAfter, postgresAfter] = await Promise.all([redis.count(), infrastructure.postgres.count()]);
    const processorMs = byKind({ ...used, load: (sample.ownProcessorSeconds * 1_000) / sample.documents });
    const waitMs = point.format === 'docx' ? settings.renderMs : settings.convertMs;
    const idealPerSecond = (point.slots * 1_000) / waitMs;
    return {
      ...point,
      documents: sample.documents,
      perSecond: rounded(sample.perSecond),
      idealPerSecond,
      ofIdeal: rounded(sample.perSecond / idealPerSecond),
      medianMs: rounded(quantile(sample.latenciesMs, 0.5)),
      p95Ms: rounded(quantile(sample.latenciesMs, 0.95)),
      processorMs,
      coresBusy: rounded((Object.values(processorMs).reduce((sum, ms) => sum + ms, 0) * sample.perSecond) / 1_000),
      redis: redisUse(redisBefore, redisAfter, sample.documents),
      postgres: postgresUse(postgresBefore, postgresAfter, sample.documents),
    };
  } finally {
    await load.close();
    redis.close();
    await fleet.stop();
  }
}

/** Adds up the processes of each kind: api-1 and api-2 become api. */
function byKind(time: ProcessorTime): ProcessorTime {
  const kinds: Record<string, number> = {};
  for (const [name, ms] of Object.entries(time)) {
    const kind = name.replace(/-\d+$/, '');
    kinds[kind] = rounded((kinds[kind] ?? 0) + ms);
  }
  return kinds;
}
