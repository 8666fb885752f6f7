import type pg from 'pg';
import { type MonthPartition, type PartitionedTable, partitionOf } from '../../../src/shared/db/partitions.ts';

/** Makes the partition of a month; `offset` is counted from the month of `at`. */
export async function addPartition(
  client: pg.ClientBase,
  table: PartitionedTable,
  offset: number,
  at = new Date(),
): Promise<MonthPartition> {
  const partition = partitionOf(table, at, offset);
  await client.query(
    `create table if not exists ${partition.name} partition of ${table} for values from ('${partition.from}') to ('${partition.to}')
      with (autovacuum_enabled = off)`,
  );
  return partition;
}

/** The table that a partition belongs to; undefined for partitions of future months, which are empty. */
export function tableOf(relation: string): string | undefined {
  const [, table, month] = /^(generations|ledger|deliveries)_(rest|\d{4}_\d{2})$/.exec(relation) ?? [];
  if (table === undefined || month === undefined) return relation;
  return month > new Date().toISOString().slice(0, 7).replace('-', '_') && month !== 'rest' ? undefined : table;
}
