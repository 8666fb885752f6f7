import pg from 'pg';
import { lowestId } from '../ids.ts';

/** Tables that are partitioned by the month of an id, which begins with its time. */
export const partitionedTables = {
  generations: { key: 'id', prefix: 'doc' },
  ledger: { key: 'generation_id', prefix: 'doc' },
  deliveries: { key: 'id', prefix: 'dlv' },
} as const;

export type PartitionedTable = keyof typeof partitionedTables;

/** The partition with the rows of a month; `from` (inclusive) and `to` (exclusive) are the bounds of its ids. */
export interface MonthPartition {
  readonly table: PartitionedTable;
  readonly name: string;
  /** The first day of the month, as `2026-11-01`. */
  readonly month: string;
  readonly from: string;
  readonly to: string;
  /** The first millisecond behind the month (UTC). */
  readonly endMs: number;
}

/** The partition that holds the rows of no other one. */
export const restOf = (table: PartitionedTable): string => `${table}_rest`;

/** The partition of the month (UTC) `offset` months after the one of `at`. */
export function partitionOf(table: PartitionedTable, at: Date, offset = 0): MonthPartition {
  const startMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset);
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset + 1);
  const month = new Date(startMs).toISOString().slice(0, 10);
  const { prefix } = partitionedTables[table];
  const name = `${table}_${month.slice(0, 7).replace('-', '_')}`;
  return { table, name, month, from: lowestId(prefix, startMs), to: lowestId(prefix, endMs), endMs };
}

/** The monthly partitions of a table, oldest first. */
export async function listPartitions(
  client: pg.ClientBase,
  table: PartitionedTable,
): Promise<readonly MonthPartition[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass($1) and c.relname ~ ('^' || $1 || '_[0-9]{4}_[0-9]{2}$') order by c.relname`,
    [table],
  );
  return rows.map(({ name }) => partitionOf(table, new Date(`${name.slice(-7).replace('_', '-')}-01T00:00:00Z`)));
}

/** How long a change of partitions may wait for a lock, in milliseconds: meanwhile, all other statements wait behind it. */
const lockTimeoutMs = 150;
const lockNotAvailable = '55P03';

/**
 * Runs `work` in a transaction that gives up waiting for locks soon. Undefined when a lock was not free; try again later.
 * `statementTimeoutMs` replaces the limit of the connection.
 */
export async function withBriefLocks<T>(
  client: pg.ClientBase,
  statementTimeoutMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  await client.query('begin');
  try {
    await client.query(`set local statement_timeout = ${statementTimeoutMs}`);
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return undefined;
    throw error;
  }
}
