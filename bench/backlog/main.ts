import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { atMost, closeFrame, type Figure, figure, isReached, openFrame, publish } from '../harness/report.ts';
import { startBenchServices } from '../harness/stack.ts';
import { openPostgresMeter } from '../infrastructure/postgres-meter.ts';
import { openRedisMeter } from '../infrastructure/redis-meter.ts';
import { type Costs, measureLevel } from './measure-level.ts';
import { type Cost, createMeasure } from './meter.ts';
import { openWaiting } from './waiting.ts';
import { openWorker } from './worker.ts';

const options = readOptions({ rounds: 1, quickRounds: 1, values: ['waiting'], flags: ['check'] });
const levels = (options.values.waiting ?? (options.quick ? '10,1000' : '10,1000,50000')).split(',').map(Number);
const repeats = options.quick ? { documents: 100, rows: 200, sweeps: 10 } : { documents: 400, rows: 800, sweeps: 40 };
const mostTimes = 1.5;
/** A smaller increase per unit, below the resolution of a process clock, does not count as growth. */
const noiseMs = 0.15;

async function measureLevels(): Promise<ReadonlyMap<number, Costs>> {
  const services = await startBenchServices({
    RESULT_INLINE_MAX_BYTES: '8388608',
    DOCUMENT_DEADLINE_SECONDS: '86400',
    DATABASE_TIMEOUT_MS: '60000',
  });
  try {
    const postgres = await openPostgresMeter(services.services.postgres);
    const redis = openRedisMeter(services.services.redis.redisUrl);
    // The meter restarts PostgreSQL, so its process id changes.
    const pids = new Map([...services.pids, ['postgres', services.services.postgres.process.pid ?? -1]]);
    const docx = readFileSync(join(projectFolder, 'examples/letter.docx'));
    const worker = await openWorker(services.variables, docx);
    try {
      // Autovacuum would be attributed to whatever happens to run at the same time.
      await worker.connections.database.pool.query('alter system set autovacuum = off');
      await worker.connections.database.pool.query('select pg_reload_conf()');
      const waiting = await openWaiting(worker.deps, docx);
      const measure = createMeasure(pids, { redis, postgres });
      const costs = new Map<number, Costs>();
      for (const level of levels) {
        process.stderr.write(`${level} waiting documents\n`);
        await waiting.fillTo(level);
        costs.set(level, await measureLevel(worker, waiting, measure, repeats));
      }
      return costs;
    } finally {
      await worker.close();
      redis.close();
      await postgres.close();
    }
  } finally {
    await services.close();
  }
}

const units = ['document', 'row', 'sweep', 'scrape'] as const;
const parts: readonly (readonly [keyof Cost, string])[] = [
  ['commands', 'Redis commands'],
  ['redisMs', 'Redis ms'],
  ['statements', 'PostgreSQL statements'],
  ['postgresMs', 'PostgreSQL ms'],
];

function tableOf(costs: ReadonlyMap<number, Costs>): readonly string[] {
  const head = ['per', 'of', ...levels.map((level) => `${level} waiting`)];
  const rows = units.flatMap((unit) =>
    parts.map(([part, name]) => [
      unit,
      name,
      ...levels.map((level) => (costs.get(level)?.[unit][part] ?? Number.NaN).toFixed(2)),
    ]),
  );
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}

/**
 * Compares each level with the first one that has a backlog. If fewer documents wait than a sweep reads at once, the
 * sweep simply has less work.
 */
function figuresOf(costs: ReadonlyMap<number, Costs>): readonly Figure[] {
  const [first, ...others] = levels;
  return others.flatMap((level) =>
    units.flatMap((unit) =>
      parts.map(([part, name]) => {
        const base = costs.get(first ?? 0)?.[unit][part] ?? Number.NaN;
        const cost = costs.get(level)?.[unit][part] ?? Number.NaN;
        const ratio = Math.max(0, cost - noiseMs) / Math.max(base, noiseMs);
        return figure(`${name} per ${unit}, ${level} waiting / ${first} waiting`, 'times', [ratio], atMost(mostTimes));
      }),
    ),
  );
}

const frame = openFrame('backlog', ['Redis'], ['bullmq', 'ioredis', 'pg']);
const costs = await measureLevels();
const figures = figuresOf(costs);
publish(closeFrame(frame, { levels, ...repeats }, figures, Object.fromEntries(costs)), options, tableOf(costs));
if (options.flags.has('check') && !figures.every(isReached)) process.exitCode = 1;
