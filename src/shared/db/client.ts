import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '../logger.ts';

// Drizzle's own transaction leaks the connection and crashes the process when `begin` or the socket fails.
type Connection = Omit<NodePgDatabase, 'transaction'>;
export type Database = Connection & { readonly $client: pg.Pool };
/** A connection with an open transaction, from `inTransaction`. */
export type Transaction = Connection & { readonly $client: pg.PoolClient };
/** A database or a transaction on it. */
export type Executor = Database | Transaction;

/** True for the pool, false for a transaction. */
export function isPooled(db: Executor): db is Database {
  return db.$client instanceof pg.Pool;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /**
   * Limit for connecting, for getting a pooled connection and for each statement; half of it for waiting for a lock.
   */
  readonly timeoutMs: number;
  readonly applicationName: string;
}

export interface DatabaseHandle {
  readonly db: Database;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export function openDatabase(options: DatabaseOptions, logger: Logger): DatabaseHandle {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.timeoutMs,
    statement_timeout: options.timeoutMs,
    lock_timeout: options.timeoutMs / 2,
    query_timeout: options.timeoutMs + 1_000,
    idle_in_transaction_session_timeout: options.timeoutMs * 2,
    keepAlive: true,
    // Planning costs more than executing, so each statement keeps one generic plan. Without sequential scans, a plan
    // made while a table was small still uses its indexes after the table has grown.
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection failed'));
  return { db: drizzle(pool), pool, close: () => pool.end() };
}

export async function pingDatabase(db: Database): Promise<boolean> {
  await db.execute(sql`select 1`);
  return true;
}
