import { makePartitions } from '../../shared/db/make-partitions.ts';
import {
  type Connection,
  listPartitions,
  type PartitionedTable,
  restOf,
  withConnection,
} from '../../shared/db/partitions.ts';
import { readClock } from '../../shared/db/read-clock.ts';
import { guarded } from '../../shared/db/statement.ts';
import { closeUsage } from '../../shared/domain/retention/close-usage.ts';
import { dropRetired } from '../../shared/domain/retention/drop-retired.ts';
import { removeOldRows } from '../../shared/domain/retention/remove-old-rows.ts';
import { retirePartition } from '../../shared/domain/retention/retire-partition.ts';
import type { WorkerDeps } from '../deps.ts';
import { dayMs, retentionDays } from './retention-days.ts';
import { walk } from './walk.ts';

/** Documents come first, because ledger entries must stay as long as their documents. */
const tables = ['generations', 'deliveries', 'ledger'] as const satisfies readonly PartitionedTable[];

/**
 * Creates the partitions of the coming months, and drops those whose rows have passed their retention. Leaves whatever
 * exceeds the time limit or cannot get its locks to the next run.
 */
export async function keepPartitions(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  const now = await readClock(deps.db);
  const days = retentionDays(deps.config);
  const keptDays = { generations: days.documents, deliveries: days.deliveries, ledger: days.ledger };
  await guarded(() =>
    withConnection(deps.config.DATABASE_URL, async (client) => {
      const missing = await makePartitions(client);
      if (missing.length > 0)
        deps.logger.warn(
          { partitions: missing },
          'partitions could not be created; their rows are in the default partition',
        );
      await drop(deps, client, untilMs);
      for (const table of tables) {
        if (keptDays[table] === Number.POSITIVE_INFINITY) continue;
        const cutoff = new Date(now.getTime() - keptDays[table] * dayMs);
        await retireOld(deps, client, { table, cutoff, untilMs });
        await drop(deps, client, untilMs);
        await removeOld(deps, client, { table, relation: restOf(table), cutoff, untilMs });
      }
    }),
  );
}

async function drop({ logger }: WorkerDeps, client: Connection, untilMs: number): Promise<void> {
  const partitions = await dropRetired(client, untilMs);
  if (partitions.length > 0) logger.info({ partitions }, 'partitions past their retention were dropped');
}

interface OldTable {
  readonly table: PartitionedTable;
  readonly cutoff: Date;
  readonly untilMs: number;
}

/** Retires the months whose last document has been kept long enough, with a day of margin for it to end. */
async function retireOld(deps: WorkerDeps, client: Connection, { table, cutoff, untilMs }: OldTable): Promise<void> {
  const monthsWithDocuments = new Set((await listPartitions(client, 'generations')).map(({ month }) => month));
  for (const partition of await listPartitions(client, table)) {
    if (partition.endMs + dayMs > cutoff.getTime() || performance.now() > untilMs) return;
    if (table === 'ledger' && monthsWithDocuments.has(partition.month)) continue;
    if (table === 'generations' && !(await closeUsage(client, deps.db, { ...partition, cutoff, untilMs }))) return;
    const outcome = await retirePartition(client, partition, cutoff);
    if (outcome === 'crowded') await removeOld(deps, client, { table, relation: partition.name, cutoff, untilMs });
    if (outcome === 'busy')
      deps.logger.info({ partition: partition.name }, 'a partition is in use; it is dropped later');
  }
}

/**
 * Removes old rows that dropping a partition does not remove: rows in the default partition, from wrong clocks or
 * months without a partition, and rows in crowded partitions.
 */
async function removeOld(
  deps: WorkerDeps,
  client: Connection,
  old: OldTable & { readonly relation: string },
): Promise<void> {
  await walk(deps, `old:${old.relation}`, old.untilMs, async (after) => {
    const { next, removed } = await removeOldRows(client, deps.db, { ...old, after });
    // A crowded partition is walked to its end, because its month is due; the default partition only while there are
    // rows to remove.
    return { next, hadWork: removed > 0 || old.relation !== restOf(old.table) };
  });
}
