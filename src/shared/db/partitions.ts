import type { SQL } from 'drizzle-orm';
import pg from 'pg';
import { lowestId } from '../ids.ts';
import { bind } from './fixed-statement.ts';

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
  client: Connection | pg.Pool,
  table: PartitionedTable,
): Promise<readonly MonthPartition[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass($1) and c.relname ~ ('^' || $1 || '_[0-9]{4}_[0-9]{2}$') order by c.relname`,
    [table],
  );
  return rows.map(({ name }) => partitionOf(table, new Date(`${name.slice(-7).replace('_', '-')}-01T00:00:00Z`)));
}

/** A connection of its own, outside of the pool and its time limits. */
export type Connection = pg.ClientBase;

/** Connects for a piece of work on partitions, which takes longer than the statements of a pool may. */
export async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'docmill-retention', keepAlive: true });
  // The query in progress, if any, reports it too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a hand-written statement on such a connection and returns its rows. */
export async function send<Row extends pg.QueryResultRow>(client: Connection, statement: SQL): Promise<readonly Row[]> {
  const { text, values } = bind(statement);
  return (await client.query<Row>(text, values)).rows;
}

/** How long a change of partitions may wait for a lock, in milliseconds: meanwhile, all other statements wait behind it. */
const lockTimeoutMs = 150;
const lockNotAvailable = '55P03';

/**
 * Runs `work` in a transaction that gives up waiting for locks soon. Undefined when a lock was not free; try again later.
 * `statementTimeoutMs` replaces the limit of the connection.
 */
export async function withBriefLocks<T>(
  client: Connection,
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
    await client.query('rollback').catch(() => undefined);
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return undefined;
    throw error;
  }
}
