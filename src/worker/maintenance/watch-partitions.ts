import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../shared/db/client.ts';
import { listPartitions, type PartitionedTable, partitionedTables, partitionOf } from '../../shared/db/partitions.ts';

/**
 * `docmill_partitions_until_timestamp_seconds` by table: the end of the last month, counted from now, up to which every
 * month has a partition, in Unix time. Read on each scrape, and absent while PostgreSQL is unreachable.
 */
export function watchPartitions(registry: Registry, db: Database): void {
  new Gauge({
    name: 'docmill_partitions_until_timestamp_seconds',
    help: 'When the first month begins that has no partition; Unix time.',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      const ends = await readEnds(db).catch(() => []);
      this.reset();
      for (const [table, endMs] of ends) this.set({ table }, endMs / 1_000);
    },
  });
}

function readEnds(db: Database): Promise<readonly (readonly [PartitionedTable, number])[]> {
  const now = new Date();
  const tables = Object.keys(partitionedTables) as readonly PartitionedTable[];
  return Promise.all(
    tables.map(async (table) => {
      const existing = new Set((await listPartitions(db.$client, table)).map(({ name }) => name));
      // The current month may lack a partition: if it was not created in time, its rows are in the default partition.
      let { endMs } = partitionOf(table, now);
      for (let next = partitionOf(table, new Date(endMs)); existing.has(next.name); ) {
        endMs = next.endMs;
        next = partitionOf(table, new Date(endMs));
      }
      return [table, endMs] as const;
    }),
  );
}
