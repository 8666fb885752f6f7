import { sql } from 'drizzle-orm';
import type { Executor } from './client.ts';
import { rowOf, timestamptz } from './row.ts';
import { query } from './statement.ts';

const clockRow = rowOf({ now: timestamptz });

/** The database's current time, on which all time rules depend. */
export async function readClock(db: Executor): Promise<Date> {
  const [row] = await query(db, clockRow, sql`select now() as now`);
  return row === undefined ? new Date() : new Date(row.now);
}
