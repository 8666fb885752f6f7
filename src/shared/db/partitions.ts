import type { SQL } from 'drizzle-orm';
import pg from 'pg';
import { toConnectionOptions } from '../config/database-connection.ts';
import { lowestId } from '../ids.ts';
import { applySettings, usualTransactions } from './client.ts';
import { bind } from './fixed-statement.ts';

/** Tables that are partitioned by the month of an id. Ids begin with their creation time. */
export const partitionedTables = {
  generations: { key: 'id', prefix: 'doc' },
  ledger: { key: 'generation_id', prefix: 'doc' },
  deliveries: { key: 'id', prefix: 'dlv' },
} as const;

export type PartitionedTable = keyof typeof partitionedTables;

/** The partition of a month. Its ids lie between `from` (inclusive) and `to` (exclusive). */
export interface MonthPartition {
  readonly table: PartitionedTable;
  readonly name: string;
  /** The first day of the month, such as `2026-11-01`. */
  readonly month: string;
  readonly from: string;
  readonly to: string;
  /** The first millisecond after the month (UTC). */
  readonly endMs: number;
}

/** The default partition, which holds the rows that belong to no other. */
export const restOf = (table: PartitionedTable): string => `${table}_rest`;

/** The partition of the month (UTC) that is `offset` months after the month of `at`. */
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

/** A separate connection, outside the pool and its time limits. */
export type Connection = pg.ClientBase;

/** Opens a connection for work on partitions, which may take longer than the pool allows. */
export async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...toConnectionOptions(url), application_name: 'docmill-retention', keepAlive: true });
  // A query in progress reports the error too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(applySettings(usualTransactions));
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a hand-written statement on the connection and returns its rows. */
export async function send<Row extends pg.QueryResultRow>(client: Connection, statement: SQL): Promise<readonly Row[]> {
  const { text, values } = bind(statement);
  return (await client.query<Row>(text, values)).rows;
}

/** How long a change of partitions may wait for a lock, in milliseconds. All other statements queue behind it. */
const lockTimeoutMs = 150;
const lockNotAvailable = '55P03';

/**
 * Runs `work` in a transaction with a short lock timeout. Returns undefined if a lock was not free; try again later.
 * `statementTimeoutMs` replaces the connection's limit.
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
