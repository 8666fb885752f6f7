import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '../logger.ts';

// drizzle's own transaction loses the connection, and the process with it, when `begin` or the socket fails.
type Connection = Omit<NodePgDatabase, 'transaction'>;
export type Database = Connection & { readonly $client: pg.Pool };
/** One connection with an open transaction; `inTransaction` is where it comes from. */
export type Transaction = Connection & { readonly $client: pg.PoolClient };
/** A database or a transaction on it. */
export type Executor = Database | Transaction;

/** Is it the pool, and no transaction? */
export function isPooled(db: Executor): db is Database {
  return db.$client instanceof pg.Pool;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Bounds connecting, waiting for a pooled connection and each statement; half of it bounds waiting for a row. */
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
    // Planning costs more than running: one plan for any values is kept. It may have been made when a table was small, and
    // must find by index what has grown since, up to the next analyze.
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection failed'));
  return { db: drizzle(pool), pool, close: () => pool.end() };
}
