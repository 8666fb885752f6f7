import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  listPartitions,
  type MonthPartition,
  type PartitionedTable,
  partitionedTables,
  partitionOf,
  restOf,
  withBriefLocks,
} from './partitions.ts';

/** Workers create partitions regularly. This margin covers the time in which none runs. */
const monthsAhead = 3;
const attempts = 20;
const pauseMs = 250;
const statementTimeoutMs = 60_000;
const validationTimeoutMs = 900_000;
/**
 * Creating a partition scans the default partition while all statements wait, unless a constraint shows that no row
 * belongs to the new one. The current month gets no such constraint: the default partition could then take none of its
 * rows.
 */
const quickRestBytes = 4 * 1024 * 1024;
const checkViolation = '23514';
const duplicateTable = '42P07';

/**
 * Creates the missing partitions of this month and the coming ones, by the database's clock. If rows of a month already
 * lie in the default partition, they stay there. Returns the names of the partitions that were skipped for this reason,
 * or because a lock was not free.
 */
export async function makePartitions(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ now: Date }>('select now() as now');
  const now = rows[0]?.now ?? new Date();
  const missing: string[] = [];
  for (const table of Object.keys(partitionedTables) as readonly PartitionedTable[]) {
    const existing = new Set((await listPartitions(client, table)).map(({ name }) => name));
    for (let offset = 0; offset <= monthsAhead; offset++) {
      const partition = partitionOf(table, now, offset);
      if (existing.has(partition.name)) continue;
      if (!(await makePartition(client, partition, offset === 0))) missing.push(partition.name);
    }
  }
  return missing;
}

async function makePartition(client: pg.ClientBase, partition: MonthPartition, isCurrent: boolean): Promise<boolean> {
  if (await hasRowsInRest(client, partition)) return false;
  const isRestLarge = (await restBytes(client, partition.table)) > quickRestBytes;
  if (isRestLarge && isCurrent) return false;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await pause(pauseMs);
    const isMade = await tryToMake(client, partition, isRestLarge);
    if (isMade !== undefined) return isMade;
  }
  return false;
}

/** Undefined if a lock was not free. */
async function tryToMake(
  client: pg.ClientBase,
  partition: MonthPartition,
  isRestLarge: boolean,
): Promise<boolean | undefined> {
  const { table, name, from, to } = partition;
  const check = `${name}_is_elsewhere`;
  try {
    if (isRestLarge) {
      const { key } = partitionedTables[table];
      const isAdded = await withBriefLocks(client, statementTimeoutMs, async () => {
        await client.query(`alter table ${restOf(table)} drop constraint if exists ${check}`);
        await client.query(
          `alter table ${restOf(table)} add constraint ${check} check (${key} < '${from}' or ${key} >= '${to}') not valid`,
        );
        return true;
      });
      if (isAdded === undefined) return undefined;
      const isValid = await withBriefLocks(client, validationTimeoutMs, async () => {
        await client.query(`alter table ${restOf(table)} validate constraint ${check}`);
        return true;
      });
      if (isValid === undefined) return undefined;
    }
    return await withBriefLocks(client, statementTimeoutMs, async () => {
      await client.query(`create table ${name} partition of ${table} for values from ('${from}') to ('${to}')`);
      await client.query(`alter table ${restOf(table)} drop constraint if exists ${check}`);
      return true;
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    // Another process has created it, or a row of the month has just been written to the default partition.
    if (error.code === duplicateTable) return true;
    if (error.code !== checkViolation) throw error;
    await withBriefLocks(client, statementTimeoutMs, () =>
      client.query(`alter table ${restOf(table)} drop constraint if exists ${check}`),
    );
    return false;
  }
}

async function hasRowsInRest(client: pg.ClientBase, { table, from, to }: MonthPartition): Promise<boolean> {
  const { key } = partitionedTables[table];
  const { rows } = await client.query(`select 1 from ${restOf(table)} where ${key} >= $1 and ${key} < $2 limit 1`, [
    from,
    to,
  ]);
  return rows.length > 0;
}

async function restBytes(client: pg.ClientBase, table: PartitionedTable): Promise<number> {
  const { rows } = await client.query<{ size: string }>('select pg_relation_size($1::regclass) as size', [
    restOf(table),
  ]);
  return Number(rows[0]?.size ?? 0);
}
