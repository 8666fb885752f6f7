import { SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { AppError } from '../errors.ts';
import type { Executor, Transaction } from './client.ts';
import { databaseUnavailable, isDatabaseOutage, isSchemaMismatch, schemaUnavailable, withoutValues } from './errors.ts';
import { type BoundStatement, bind } from './fixed-statement.ts';
import { runPrepared } from './prepared.ts';
import { bool, type RowShape, rowOf } from './row.ts';

/** A statement of Drizzle's query builder. */
interface BuiltStatement<Result> {
  toSQL(): { readonly sql: string };
  prepare(name: string): { execute(): Promise<Result> };
  execute(): Promise<Result>;
}

/** Runs a built statement and returns its rows. Converts an outage of PostgreSQL to the `unavailable` error. */
export function run<Result>(db: Executor, statement: BuiltStatement<Result>): Promise<Result> {
  return guarded(() =>
    runPrepared(db, statement.toSQL().sql, (name) =>
      name === undefined ? statement.execute() : statement.prepare(name).execute(),
    ),
  );
}

/**
 * Runs a hand-written statement, for what the builder cannot express, and returns its rows as `shape` describes them.
 */
export function query<T>(db: Executor, shape: RowShape<T>, statement: SQL | BoundStatement): Promise<T[]> {
  return guarded(async () => {
    const result = await send(db, statement);
    inspectResult?.(shape, result);
    return result.rows.map(shape.decode);
  });
}

/** Runs a hand-written statement that returns no rows, and returns how many rows it affected. */
export function execute(db: Executor, statement: SQL): Promise<number> {
  return guarded(async () => (await send(db, statement)).rowCount ?? 0);
}

type Inspection = (shape: RowShape<unknown>, result: pg.QueryResult<Record<string, unknown>>) => void;
let inspectResult: Inspection | undefined;

/** For tests: calls `inspection` with the result of every hand-written statement of this process. */
export function inspectResults(inspection: Inspection | undefined): void {
  inspectResult = inspection;
}

function send(db: Executor, statement: SQL | BoundStatement): Promise<pg.QueryResult<Record<string, unknown>>> {
  const { text, values } = statement instanceof SQL ? bind(statement) : statement;
  return runPrepared(db, text, (name) => db.$client.query({ text, values, types, ...(name && { name }) }));
}

const { TIMESTAMPTZ, TIMESTAMP, DATE, INTERVAL } = pg.types.builtins;
const keptAsText = new Set<number>([TIMESTAMPTZ, TIMESTAMP, DATE, INTERVAL]);
const asText = (value: string): string => value;

/** Times stay in PostgreSQL's text format with full precision; table columns decode them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    keptAsText.has(id) ? asText : pg.types.getTypeParser(id, format)) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * Converts an outage of PostgreSQL or a schema mismatch in `work` to the `unavailable` error. Rethrows other errors
 * without parameter values.
 */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const failure = withoutValues(error);
    if (isSchemaMismatch(error)) throw schemaUnavailable(failure);
    throw isDatabaseOutage(error) ? databaseUnavailable(failure) : failure;
  }
}

/**
 * The given time, or the database's clock, so that time rules never depend on a process's clock. Truncated to
 * milliseconds, because columns would round up, past the `now()` of the next statement or into the next month.
 */
export function nowOr(at?: Date): SQL {
  return at === undefined ? sql`date_trunc('milliseconds', now())` : timeValue(at);
}

/** The database's clock plus a number of milliseconds, truncated like `nowOr`. */
export const nowPlus = (ms: number): SQL => sql`${nowOr()} + make_interval(secs => ${ms / 1_000})`;

/** A time as a parameter. */
export const timeValue = (time: Date): SQL => sql`${time.toISOString()}::timestamptz`;

/**
 * For a `from` list: a row `wait`, after which the statement waits for each lock at most this long; null leaves the
 * connection's limit. Require `wait.lock is not null` where the rows to lock are found.
 */
export const limitedWait = (limit: SQL): SQL =>
  sql`(select set_config('lock_timeout', coalesce(${limit}::text, current_setting('lock_timeout')), true) as lock) wait`;

/** A value as a jsonb parameter; SQL null for null and undefined. */
export const jsonbValue = (value: unknown): SQL => sql`${jsonText(value)}::jsonb`;

/** A value as JSON text; null for null and undefined. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

const lockRow = rowOf({ has_lock: bool });

/** Takes an advisory lock until the transaction ends. False if another transaction holds it. */
export async function tryLock(tx: Transaction, name: string): Promise<boolean> {
  const [row] = await query(
    tx,
    lockRow,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as has_lock`,
  );
  return row?.has_lock === true;
}
