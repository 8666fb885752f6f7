import { sql } from 'drizzle-orm';
import { columnList } from '../../db/column-names.ts';
import { type Connection, type MonthPartition, send, withBriefLocks } from '../../db/partitions.ts';
import { retiredPartitions } from '../../db/schema/retention.ts';
import { timeValue } from '../../db/statement.ts';
import { partitionRows } from './retained-rows.ts';

/** Rows that stay are moved while all statements wait. A partition with more of them is emptied row by row instead. */
const maxStaying = 5_000;
const longMs = 900_000;
const briefMs = 10_000;
const undefinedTable = '42P01';
const duplicateTable = '42P07';

/** `busy`: the locks were not free. `crowded`: too many rows stay. */
export type Retirement = 'retired' | 'busy' | 'crowded' | 'gone';

/**
 * Detaches an expired partition from its table, for `dropRetired` to drop. Rows that stay move to the default partition
 * in the same transaction, so that no statement ever misses them. The slow reading comes first, so other statements
 * wait only for milliseconds.
 */
export async function retirePartition(
  client: Connection,
  partition: MonthPartition,
  cutoff: Date,
): Promise<Retirement> {
  try {
    return await retire(client, partition, cutoff);
  } catch (error) {
    // Another worker has retired it, or is about to.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === undefinedTable) return 'gone';
    if (code === duplicateTable) return 'busy';
    throw error;
  }
}

async function retire(client: Connection, partition: MonthPartition, cutoff: Date): Promise<Retirement> {
  const { table, name, month } = partition;
  const { source, key, writtenAt, stays } = partitionRows[table];
  const relation = sql.identifier(name);
  const index = sql.identifier(`${name}_written`);
  const isDropped = await withBriefLocks(client, briefMs, async () => {
    await send(client, sql`drop index if exists ${index}`);
    return true;
  });
  if (isDropped === undefined) return 'busy';
  const staying = await withBriefLocks(client, longMs, () =>
    send<{ key: string }>(
      client,
      sql`select distinct ${key} as key from ${source(name)} where ${stays(cutoff)} limit ${maxStaying + 1}`,
    ),
  );
  if (staying === undefined) return 'busy';
  if (staying.length > maxStaying) return 'crowded';
  // Quickly finds rows that a process with a wrong clock writes from now on. All other rows have ended and do not
  // change.
  await send(client, sql`create index concurrently ${index} on ${relation} (${sql.identifier(writtenAt.name)})`);
  const outcome = await withBriefLocks(client, briefMs, async (): Promise<Retirement> => {
    const parent = sql.identifier(table);
    // Needs few round trips: all other statements wait from here to the commit.
    await send(
      client,
      sql`lock table ${parent} in access exclusive mode; alter table ${parent} detach partition ${relation};
        set local enable_seqscan = off`,
    );
    const late = await send<{ key: string }>(
      client,
      sql`select ${key} as key from ${source(name)} where ${writtenAt} >= ${timeValue(cutoff)}`,
    );
    const keys = [...staying, ...late].map((row) => row.key);
    await send(
      client,
      sql`with moved as (
          delete from ${source(name)} where ${key} = any(${sql.param(keys)}::text[]) returning *
        ), retired as (
          insert into ${retiredPartitions}
            ${columnList(retiredPartitions.name, retiredPartitions.parent, retiredPartitions.month)}
          values (${name}, ${table}, ${month})
        )
        insert into ${parent} select * from moved`,
    );
    return 'retired';
  });
  return outcome ?? 'busy';
}
