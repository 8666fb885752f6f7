import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { toConnectionOptions } from '../config/database-connection.ts';
import type { Logger } from '../logger.ts';

// Drizzle's own transaction leaks the connection and crashes the process when `begin` or the socket fails.
type Connection = Omit<NodePgDatabase, 'transaction'>;
export type Database = Connection & { readonly $client: pg.Pool };
/** A connection with an open transaction, from `inTransaction`. */
export type Transaction = Connection & { readonly $client: pg.PoolClient };
/** A database or a transaction on it. */
export type Executor = Database | Transaction;

/** Whether `db` is the pool rather than a transaction. */
export function isPooled(db: Executor): db is Database {
  return db.$client instanceof pg.Pool;
}

/**
 * What a role or a database may have set otherwise, and the service relies on: transactions that may write, at the level
 * for which statements are written, and connections that may be idle.
 */
export const usualTransactions = {
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read committed',
  idle_session_timeout: '0',
} as const;

/** The statement that gives a session these settings. */
export function applySettings(settings: Readonly<Record<string, string | number>>): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  return `select ${calls.join(', ')}`;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /**
   * The time limit for connecting, for acquiring a pooled connection and for each statement. Waiting for a lock gets
   * half of it.
   */
  readonly timeoutMs: number;
  readonly applicationName: string;
  /** False for a pooler that does not keep prepared statements. Default: true. */
  readonly hasPreparedStatements?: boolean | undefined;
}

export interface DatabaseHandle {
  readonly db: Database;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * Sends no start-up parameters, because poolers may reject them: a statement on each new connection sets the time
 * limits instead. A pooler in transaction mode shares them among its clients, all of which are processes of this
 * service.
 */
export function openDatabase(options: DatabaseOptions, logger: Logger): DatabaseHandle {
  const { timeoutMs } = options;
  // Planning costs more than executing, so each statement keeps one generic plan. With sequential scans disabled, a
  // plan made while a table was small still uses its indexes after the table has grown, even before PostgreSQL analyses
  // it. That makes plans look expensive, so that PostgreSQL would compile them (JIT), which would take longer than the
  // slowest statement.
  const settings = {
    ...usualTransactions,
    statement_timeout: timeoutMs,
    lock_timeout: Math.ceil(timeoutMs / 2),
    idle_in_transaction_session_timeout: timeoutMs * 2,
    plan_cache_mode: 'force_generic_plan',
    enable_seqscan: 'off',
    jit: 'off',
  };
  const pool = new pg.Pool({
    ...toConnectionOptions(options.url),
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs + 1_000,
    keepAlive: true,
    onConnect: (client) => client.query(applySettings(settings)),
  });
  if (options.hasPreparedStatements === false) {
    unprepared.add(pool);
    pool.on('connect', (client) => unprepared.add(client));
  }
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection failed'));
  return { db: drizzle(pool), pool, close: () => pool.end() };
}

/** Pools and connections that do not use named statements. */
const unprepared = new WeakSet<object>();

export function canPrepare(db: Executor): boolean {
  return !unprepared.has(db.$client);
}

export async function pingDatabase(db: Database): Promise<boolean> {
  await db.execute(sql`select 1`);
  return true;
}
