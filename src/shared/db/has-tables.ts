import { sql } from 'drizzle-orm';
import type { Executor } from './client.ts';
import { bool, rowOf } from './row.ts';
import { query } from './statement.ts';

const foundRow = rowOf({ has_tables: bool });

/** True if the database contains any user table. */
export async function hasTables(db: Executor): Promise<boolean> {
  const [row] = await query(
    db,
    foundRow,
    sql`select exists (select 1 from pg_catalog.pg_tables where schemaname not in ('pg_catalog', 'information_schema')) as has_tables`,
  );
  return row?.has_tables === true;
}
