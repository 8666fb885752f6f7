import { readFileSync } from 'node:fs';
import { readProcessorTime } from '../harness/processor-time.ts';
import type { BenchServices } from '../harness/stack.ts';
import type { PostgresMeter } from '../infrastructure/postgres-meter.ts';
import type { RedisMeter } from '../infrastructure/redis-meter.ts';

/** The cost of one unit of work (a document, a row, a sweep). */
export interface Cost {
  /** Redis commands, including those of scripts. */
  readonly commands: number;
  readonly redisMs: number;
  readonly statements: number;
  /** Processor time of PostgreSQL. */
  readonly postgresMs: number;
}

export type Measure = (units: number, work: () => Promise<unknown>) => Promise<Cost>;

const tickMs = 10;

/** Processor time of ended child processes, such as backends whose connection has closed. */
function endedChildrenMs(pid: number): number {
  if (process.platform !== 'linux') return 0;
  // The program's name is in brackets; the 14th and 15th fields after it are the ticks of child processes.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * tickMs;
}

/** Measures with the servers' own counters and with the processor time of their processes. */
export function createMeasure(
  pids: BenchServices['pids'],
  { redis, postgres }: { readonly redis: RedisMeter; readonly postgres: PostgresMeter },
): Measure {
  const postgresPid = pids.get('postgres') ?? -1;
  const postgresOnly = new Map([['postgres', postgresPid]]);
  const read = async () => {
    const [redisCount, postgresCount] = [await redis.count(), await postgres.count()];
    return {
      commands: Object.values(redisCount.commands).reduce((sum, { calls }) => sum + calls, 0),
      redisMs: redisCount.processorSeconds * 1_000,
      statements: postgresCount.statements.reduce((sum, { calls }) => sum + calls, 0),
      postgresMs: (readProcessorTime(postgresOnly).postgres ?? 0) * 1_000 + endedChildrenMs(postgresPid),
    };
  };
  return async (units, work) => {
    const before = await read();
    await work();
    const after = await read();
    const each = (name: keyof Cost): number => (after[name] - before[name]) / units;
    return {
      commands: each('commands'),
      redisMs: each('redisMs'),
      statements: each('statements'),
      postgresMs: each('postgresMs'),
    };
  };
}
