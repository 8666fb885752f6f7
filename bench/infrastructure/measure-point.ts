import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../harness/machine.ts';
import { type ProcessorTime, perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { startSide } from '../harness/side-process.ts';
import { quantile } from '../harness/statistics.ts';
import type { LoadSetup } from './load-side.ts';
import { type PostgresUse, postgresUse } from './postgres-meter.ts';
import { openRedisMeter, type RedisUse, redisUse } from './redis-meter.ts';
import type { Fabric, FabricSettings } from './stack.ts';

export interface Point {
  readonly format: 'docx' | 'pdf';
  readonly apis: number;
  /** Documents that workers wait for at a time. */
  readonly slots: number;
  readonly accounts: number;
  /** Callers for each slot, each of which waits for its document before it orders the next. */
  readonly callersPerSlot: number;
}

export interface Measured extends Point {
  readonly documents: number;
  readonly perSecond: number;
  /** What the slots would make if all but the waiting cost nothing. */
  readonly idealPerSecond: number;
  readonly ofIdeal: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Milliseconds of a core for each document, by part; the generator of the load is one. */
  readonly processorMs: ProcessorTime;
  /** How many of the machine's cores were at work, for these parts. */
  readonly coresBusy: number;
  readonly redis: RedisUse;
  readonly postgres: PostgresUse;
}

export type Tenant = LoadSetup['tenants'][number];

export const letterBody = (format: Point['format']): string => {
  const data = JSON.parse(readFileSync(join(projectFolder, 'examples/letter.json'), 'utf8')) as object;
  return JSON.stringify({ data, output: { format } });
};

/** Warms up, then loads the fabric for so many seconds and tells what it came to and what it cost. */
export async function measurePoint(
  fabric: Fabric,
  settings: FabricSettings,
  tenants: readonly Tenant[],
  point: Point,
  seconds: number,
): Promise<Measured> {
  const fleet = await fabric.startFleet(point.apis, point.slots);
  const redis = openRedisMeter(fabric.redis.redisUrl);
  const setup: LoadSetup = {
    urls: fleet.urls,
    tenants: tenants.slice(0, point.accounts),
    body: letterBody(point.format),
  };
  const load = await startSide(new URL('./load-side.ts', import.meta.url), setup);
  try {
    const lanes = point.slots * point.callersPerSlot;
    await load.run({ forMs: 2_000, atLeast: lanes, lanes });
    const [redisBefore, postgresBefore] = await Promise.all([redis.count(), fabric.postgres.count()]);
    const before = readProcessorTime(fleet.pids);
    const sample = await load.run({ forMs: seconds * 1_000, atLeast: lanes, lanes });
    const used = perDocument(before, readProcessorTime(fleet.pids), sample.documents);
    const [redisAfter, postgresAfter] = await Promise.all([redis.count(), fabric.postgres.count()]);
    const processorMs = merged({ ...used, load: (sample.ownProcessorSeconds * 1_000) / sample.documents });
    const waitMs = point.format === 'docx' ? settings.renderMs : settings.convertMs;
    const idealPerSecond = (point.slots * 1_000) / waitMs;
    return {
      ...point,
      documents: sample.documents,
      perSecond: round(sample.perSecond),
      idealPerSecond,
      ofIdeal: round(sample.perSecond / idealPerSecond),
      medianMs: round(quantile(sample.latenciesMs, 0.5)),
      p95Ms: round(quantile(sample.latenciesMs, 0.95)),
      processorMs,
      coresBusy: round((Object.values(processorMs).reduce((sum, ms) => sum + ms, 0) * sample.perSecond) / 1_000),
      redis: redisUse(redisBefore, redisAfter, sample.documents),
      postgres: postgresUse(postgresBefore, postgresAfter, sample.documents),
    };
  } finally {
    await load.close();
    redis.close();
    await fleet.stop();
  }
}

/** Processes of one kind are one part. */
function merged(time: ProcessorTime): ProcessorTime {
  const parts: Record<string, number> = {};
  for (const [name, ms] of Object.entries(time)) {
    const part = name.replace(/-\d+$/, '');
    parts[part] = round((parts[part] ?? 0) + ms);
  }
  return parts;
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
