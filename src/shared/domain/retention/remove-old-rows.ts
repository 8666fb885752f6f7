import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { type Connection, type PartitionedTable, send, withBriefLocks } from '../../db/partitions.ts';
import { timeValue } from '../../db/statement.ts';
import { addTotals } from './add-totals.ts';
import { closeUsage } from './close-usage.ts';
import { partitionRows } from './retained-rows.ts';

const pageRows = 1_000;
const statementMs = 60_000;

export interface OldRows {
  readonly table: PartitionedTable;
  /** The default partition, or one in which many rows stay. */
  readonly relation: string;
  readonly cutoff: Date;
  /** Where the last page ended; empty at the beginning. */
  readonly after: string;
  readonly untilMs: number;
}

/**
 * Removes the expired rows of a page and adds them to the totals, in one transaction. For rows that cannot be dropped
 * with a partition. `next` is the cursor after the page; undefined at the end.
 */
export async function removeOldRows(
  client: Connection,
  db: Database,
  page: OldRows,
): Promise<{ readonly next: string | undefined; readonly removed: number }> {
  const { table, relation, cutoff, after, untilMs } = page;
  const { source, key, writtenAt, stays } = partitionRows[table];
  const rows = await send<{ key: string; is_old: boolean }>(
    client,
    sql`select ${key} as key, ${writtenAt} < ${timeValue(cutoff)} as is_old from ${source(relation)}
      where ${key} > ${after} order by ${key} limit ${pageRows}`,
  );
  const next = rows.length < pageRows ? undefined : rows.at(-1)?.key;
  const old = rows.filter((row) => row.is_old).map((row) => row.key);
  const [first, last] = [old[0], old.at(-1)];
  if (first === undefined || last === undefined) return { next, removed: 0 };
  const ids = { from: first, to: `${last}~`, cutoff, untilMs };
  if (table === 'generations' && !(await closeUsage(client, db, ids))) return { next: after, removed: 0 };
  const isAny = sql`${key} = any(${sql.param(old)}::text[])`;
  const removed = await withBriefLocks(client, statementMs, async () => {
    // Totals only the locked rows, so that two workers do not count a row twice.
    const going = await send<{ key: string }>(
      client,
      sql`select ${key} as key from ${source(relation)} where ${isAny} and not ${stays(cutoff)} order by ${key} for update`,
    );
    const keys = sql`${key} = any(${sql.param(going.map((row) => row.key))}::text[])`;
    const month = sql`date_trunc('month', ${writtenAt} at time zone 'UTC')::date`;
    const totals = addTotals(table, source(relation), month, keys);
    if (totals !== undefined) await send(client, totals);
    await send(client, sql`delete from ${source(relation)} where ${keys}`);
    return going.length;
  });
  return { next, removed: removed ?? 0 };
}
