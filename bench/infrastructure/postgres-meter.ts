import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Postgres } from '../../tools/local/services/postgres.ts';

/** Counts of all statements with the same text, which the server may list more than once. */
interface StatementCount {
  readonly query: string;
  readonly calls: number;
  readonly planMs: number;
  readonly execMs: number;
  readonly walBytes: number;
}

/** Counters of a PostgreSQL server since its start. */
export interface PostgresCount {
  readonly statements: readonly StatementCount[];
  readonly walBytes: number;
  /** Full page images in the log, which are a cost of checkpoints, not of documents. */
  readonly walPages: number;
}

export interface PostgresMeter {
  count(): Promise<PostgresCount>;
  /** The size of the document tables with their indexes. */
  tableBytes(): Promise<number>;
  close(): Promise<void>;
}

const meterQuery = 'from pg_stat_statements';

/** Loads `pg_stat_statements`, which restarts the server. */
export async function openPostgresMeter(postgres: Postgres): Promise<PostgresMeter> {
  await once(postgres.databaseUrl, `alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await once(postgres.databaseUrl, 'alter system set pg_stat_statements.track_planning = on');
  const { pid } = postgres.process;
  if (pid === undefined) throw new Error('PostgreSQL is not running');
  process.kill(pid, 'SIGINT');
  while (!(await hasRestarted(postgres.databaseUrl, postgres.process.pid !== pid))) await delay(100);
  await once(postgres.databaseUrl, 'create extension if not exists pg_stat_statements');
  const pool = new pg.Pool({ connectionString: postgres.databaseUrl, max: 1 });
  pool.on('error', () => undefined);
  return {
    async count() {
      const [statements, wal] = await Promise.all([
        pool.query<StatementCount>(
          `select query, sum(calls)::int as calls, sum(total_plan_time) as "planMs", sum(total_exec_time) as "execMs",
            sum(wal_bytes)::float as "walBytes" ${meterQuery} group by query`,
        ),
        pool.query<{ walBytes: number; walPages: number }>(
          `select pg_current_wal_lsn() - '0/0'::pg_lsn as "walBytes", wal_fpi::float as "walPages" from pg_stat_wal`,
        ),
      ]);
      const { walBytes = 0, walPages = 0 } = wal.rows[0] ?? {};
      return { statements: statements.rows, walBytes: Number(walBytes), walPages };
    },
    async tableBytes() {
      const { rows } = await pool.query<{ bytes: number }>(
        `select (pg_total_relation_size('generations') + pg_total_relation_size('ledger'))::float as bytes`,
      );
      return rows[0]?.bytes ?? 0;
    },
    close: () => pool.end(),
  };
}

async function once(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function hasRestarted(url: string, isAnother: boolean): Promise<boolean> {
  if (!isAnother) return false;
  return once(url, 'select 1').then(
    () => true,
    () => false,
  );
}

export interface PostgresUse {
  readonly statementsPerDocument: number;
  /** Bytes of write-ahead log, including full page images. */
  readonly walBytesPerDocument: number;
  readonly walPagesPerDocument: number;
  readonly statements: readonly {
    /** The first 80 characters. */
    readonly statement: string;
    readonly perDocument: number;
    readonly planMs: number;
    /** Includes lock waits. */
    readonly execMs: number;
    readonly walBytes: number;
  }[];
}

export function postgresUse(before: PostgresCount, after: PostgresCount, documents: number): PostgresUse {
  const earlier = new Map(before.statements.map((one) => [one.query, one]));
  const differences = after.statements
    .filter(({ query }) => !query.includes(meterQuery) && !query.includes('pg_stat_wal'))
    .map(({ query, calls, planMs, execMs, walBytes }) => {
      const was = earlier.get(query);
      return {
        query,
        calls: calls - (was?.calls ?? 0),
        execMs: execMs - (was?.execMs ?? 0),
        planMs: planMs - (was?.planMs ?? 0),
        walBytes: walBytes - (was?.walBytes ?? 0),
      };
    })
    .filter(({ calls }) => calls / documents >= 0.01);
  return {
    statementsPerDocument: hundredths(differences.reduce((sum, { calls }) => sum + calls, 0) / documents),
    walBytesPerDocument: Math.round((after.walBytes - before.walBytes) / documents),
    walPagesPerDocument: hundredths((after.walPages - before.walPages) / documents),
    statements: differences
      .toSorted((a, b) => b.execMs - a.execMs)
      .map(({ query, calls, planMs, execMs, walBytes }) => ({
        statement: query.replace(/\s+/g, ' ').slice(0, 80),
        perDocument: hundredths(calls / documents),
        planMs: Math.round((planMs / calls) * 1_000) / 1_000,
        execMs: Math.round((execMs / calls) * 1_000) / 1_000,
        walBytes: Math.round(walBytes / calls),
      })),
  };
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
