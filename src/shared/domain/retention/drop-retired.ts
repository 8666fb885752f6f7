import { sql } from 'drizzle-orm';
import { type Connection, type PartitionedTable, send, withBriefLocks } from '../../db/partitions.ts';
import { retiredPartitions } from '../../db/schema/retention.ts';
import { addTotals } from './add-totals.ts';
import { partitionRows } from './retained-rows.ts';

const longMs = 900_000;
const briefMs = 10_000;

interface Retired {
  readonly name: string;
  readonly parent: PartitionedTable;
  readonly month: string;
}

/**
 * Totals and drops the retired partitions, each in one transaction, so that rows are in the totals exactly if they are
 * gone. Nothing else uses these tables, so no statement waits. Returns the names of the dropped partitions.
 */
export async function dropRetired(client: Connection, untilMs = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
  const { name, parent, month } = retiredPartitions;
  const retired = await send<Retired>(
    client,
    sql`select ${name}, ${parent}, ${month}::text as month from ${retiredPartitions} order by ${name}`,
  );
  const dropped: string[] = [];
  for (const partition of retired) {
    if (performance.now() > untilMs) break;
    if ((await dropReferences(client, partition.name)) && (await totalAndDrop(client, partition)))
      dropped.push(partition.name);
  }
  return dropped;
}

/**
 * Dropping a table that references accounts locks the accounts. Dropping the references first, before the totals, keeps
 * that lock short.
 */
async function dropReferences(client: Connection, name: string): Promise<boolean> {
  const constraints = await send<{ name: string }>(
    client,
    sql`select conname as name from pg_constraint where conrelid = to_regclass(${name}) and contype = 'f'`,
  );
  const isDone = await withBriefLocks(client, briefMs, async () => {
    for (const constraint of constraints) {
      await send(client, sql`alter table ${sql.identifier(name)} drop constraint ${sql.identifier(constraint.name)}`);
    }
    return true;
  });
  return isDone === true;
}

async function totalAndDrop(client: Connection, { name, parent, month }: Retired): Promise<boolean> {
  const isDropped = await withBriefLocks(client, longMs, async () => {
    const held = await send(
      client,
      sql`select 1 from ${retiredPartitions} where ${retiredPartitions.name} = ${name} for update skip locked`,
    );
    if (held.length === 0) return false;
    const totals = addTotals(parent, partitionRows[parent].source(name), sql`${month}::date`);
    if (totals !== undefined) await send(client, totals);
    await send(client, sql`drop table ${sql.identifier(name)}`);
    await send(client, sql`delete from ${retiredPartitions} where ${retiredPartitions.name} = ${name}`);
    return true;
  });
  return isDropped === true;
}
