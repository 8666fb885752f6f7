import { isNull, sql } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { bool, rowOf } from '../db/row.ts';
import { installation } from '../db/schema/operations.ts';
import { query, run } from '../db/statement.ts';
import { newId } from '../ids.ts';

export interface Installation {
  readonly id: string;
  /** Since when the sweep keeps orphaned objects; null if it removes them. */
  readonly removalsHeldAt: Date | null;
}

/** The identity of this database, created by the first call. Concurrent callers get the same one. */
export async function readInstallation(db: Executor): Promise<Installation> {
  const found = await findInstallation(db);
  if (found !== undefined) return found;
  await run(
    db,
    db
      .insert(installation)
      .values({ id: newId('ins') })
      .onConflictDoNothing(),
  );
  const written = await findInstallation(db);
  if (written === undefined) throw new Error('the row of the installation was removed while it was read');
  return written;
}

async function findInstallation(db: Executor): Promise<Installation | undefined> {
  const { id, removalsHeldAt } = installation;
  const [row] = await run(db, db.select({ id, removalsHeldAt }).from(installation));
  return row;
}

const tableRow = rowOf({ has_table: bool });

/** False before the migration that adds the table for the id. */
export async function canHaveId(db: Executor): Promise<boolean> {
  const [row] = await query(db, tableRow, sql`select to_regclass('installation') is not null as has_table`);
  return row?.has_table === true;
}

/** Makes the sweep keep orphaned objects from now on. */
export async function holdRemovals(db: Executor): Promise<void> {
  await readInstallation(db);
  await run(db, db.update(installation).set({ removalsHeldAt: sql`now()` }).where(isNull(installation.removalsHeldAt)));
}

/** Lets the sweep remove orphaned objects again. */
export async function releaseRemovals(db: Executor): Promise<void> {
  await run(db, db.update(installation).set({ removalsHeldAt: null }));
}
