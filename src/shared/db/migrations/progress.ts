import pg from 'pg';
import type { Migration } from './read-migrations.ts';

/** The migrations that the database has recorded. */
export interface AppliedMigrations {
  /** Hashes by `writtenAtMs`, from Drizzle's own table. */
  readonly hashes: ReadonlyMap<number, string>;
  /**
   * `writtenAtMs` of the migrations that a release needs to run on this database, because something older was removed.
   */
  readonly required: ReadonlySet<number>;
}

/** Creates the tables for the records. Drizzle's are identical to those of its own migrator. */
export const createRecords = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
  create table if not exists drizzle.migration_statements (
    migration bigint not null,
    position integer not null,
    hash text not null,
    is_finished boolean not null,
    primary key (migration, position)
  );
  create table if not exists drizzle.required_migrations (migration bigint primary key);`;

/** One statement, because a service runs it repeatedly. Fails with 42P01 or 3F000 on a database without records. */
export const readRecords = `
  select created_at::text as "writtenAtMs", hash from drizzle.__drizzle_migrations
  union all select migration::text, null from drizzle.required_migrations`;

export interface RecordRow {
  readonly writtenAtMs: string;
  /** Null for a required migration. */
  readonly hash: string | null;
}

export function toApplied(rows: readonly RecordRow[]): AppliedMigrations {
  const isApplied = (row: RecordRow): row is RecordRow & { hash: string } => row.hash !== null;
  return {
    hashes: new Map(rows.filter(isApplied).map(({ writtenAtMs, hash }) => [Number(writtenAtMs), hash])),
    required: new Set(rows.filter((row) => !isApplied(row)).map(({ writtenAtMs }) => Number(writtenAtMs))),
  };
}

/** SQLSTATEs for a missing table and a missing schema. */
const missingCodes = new Set(['42P01', '3F000']);

/** True for the error of a database that has no migration records. */
export function areRecordsMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && missingCodes.has(error.code ?? '');
}

/** Reads what the database has recorded; empty if it has no records. */
export async function readApplied(client: pg.Client): Promise<AppliedMigrations> {
  try {
    return toApplied((await client.query<RecordRow>(readRecords)).rows);
  } catch (error) {
    if (areRecordsMissing(error)) return toApplied([]);
    throw error;
  }
}

export interface StatementRecord {
  readonly position: number;
  readonly hash: string;
  readonly isFinished: boolean;
}

/** The statements of an unfinished migration that have completed, or that were started outside a transaction. */
export async function readStatements(client: pg.Client, migration: Migration): Promise<readonly StatementRecord[]> {
  try {
    const { rows } = await client.query<StatementRecord>(
      'select position, hash, is_finished as "isFinished" from drizzle.migration_statements where migration = $1',
      [migration.writtenAtMs],
    );
    return rows;
  } catch (error) {
    if (areRecordsMissing(error)) return [];
    throw error;
  }
}

/** SQL that records a statement; the position counts from 1. */
export function recordStatement(migration: Migration, position: number, hash: string, isFinished: boolean): string {
  return `insert into drizzle.migration_statements (migration, position, hash, is_finished)
    values (${migration.writtenAtMs}, ${position}, ${pg.escapeLiteral(hash)}, ${isFinished})
    on conflict (migration, position) do update set hash = excluded.hash, is_finished = excluded.is_finished`;
}

/** SQL that records a completed migration and deletes the records of its statements. */
export function recordMigration({ hash, writtenAtMs }: Migration): string {
  return `begin;
    insert into drizzle.__drizzle_migrations (hash, created_at) values (${pg.escapeLiteral(hash)}, ${writtenAtMs});
    delete from drizzle.migration_statements where migration = ${writtenAtMs};
    commit`;
}

/**
 * SQL that records a migration that releases need from now on. Runs before anything that older releases use is removed.
 */
export function requireMigration(writtenAtMs: number): string {
  return `insert into drizzle.required_migrations (migration) values (${writtenAtMs}) on conflict do nothing`;
}
