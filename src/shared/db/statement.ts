import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '../errors.ts';
import type { Executor } from './client.ts';
import { databaseUnavailable, isDatabaseOutage, withoutValues } from './errors.ts';
import { runPrepared } from './prepared.ts';

/** Runs one statement and returns its rows; an outage of PostgreSQL becomes the `unavailable` error. */
export async function run<Row extends Record<string, unknown>>(db: Executor, statement: SQL): Promise<Row[]> {
  return guarded(() => runPrepared<Row>(db, statement));
}

/** Gives an outage of PostgreSQL in `work` its public meaning; lets every other error through, without the values. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const failure = withoutValues(error);
    throw isDatabaseOutage(error) ? databaseUnavailable(failure) : failure;
  }
}

/**
 * A given moment, or the database's clock: no rule of time ever uses a process's own clock. Cut to the milliseconds that
 * columns keep, which would round it up into the next month, or past the `now()` of the next statement.
 */
export function nowOr(at?: Date): SQL {
  return at === undefined ? sql`date_trunc('milliseconds', now())` : sql`${at.toISOString()}::timestamptz`;
}

/** A value as the text of a jsonb parameter; null for what is not there. */
export function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
