import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as migrateWithDrizzle } from 'drizzle-orm/node-postgres/migrator';
import { expect, onTestFinished, test } from 'vitest';
import { type MigrateOptions, migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { previewMigrations } from '../../../src/shared/db/migrations/preview.ts';
import { readMigrations, releaseFolder } from '../../../src/shared/db/migrations/read-migrations.ts';
import { readSchemaState, schemaCheck } from '../../../src/shared/db/schema-state.ts';
import { execute } from '../../../src/shared/db/statement.ts';
import { createReadiness } from '../../../src/shared/readiness.ts';
import { fillMigrations, writeMigrations } from '../../support/domain/write-migrations.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { silent } from '../../support/services/redis.ts';

/** An empty database, and the runner on it with lines that it reported. */
async function emptyDatabase() {
  const { db, pool, url } = await useOwnDatabase({ isEmpty: true });
  const lines: string[] = [];
  const run = (folder: string, options: MigrateOptions = {}) =>
    migrateDatabase(url, { folder, lockTimeoutMs: 200, report: (line) => lines.push(line), ...options });
  const query = async <Row>(text: string): Promise<readonly Row[]> => (await pool.query(text)).rows as Row[];
  return { db, pool, url, run, lines, query };
}

const initial = {
  '0000_initial': ['create table items (id int primary key, name text)', "insert into items values (1, 'a')"],
};

/** A database after some statements, and a folder with more migrations. */
async function olderDatabase(
  next: Readonly<Record<string, readonly string[]>>,
  first: readonly string[] = initial['0000_initial'],
) {
  const database = await emptyDatabase();
  const migrations = { '0000_initial': first };
  await database.run(writeMigrations(migrations));
  return { ...database, folder: writeMigrations({ ...migrations, ...next }) };
}

const isValid = (index: string) => `select indisvalid as ok from pg_index where indexrelid = to_regclass('${index}')`;

test('this migrator leaves nothing to do for Drizzle’s own one, and the other way round', async () => {
  const { pool, run, query } = await emptyDatabase();
  const { applied } = await run(releaseFolder);
  expect(applied[0]).toBe('0000_initial');
  await migrateWithDrizzle(drizzle(pool), { migrationsFolder: releaseFolder });
  const recorded = await query('select id, hash from drizzle.__drizzle_migrations');
  expect(recorded).toHaveLength(applied.length);
  expect(await run(releaseFolder)).toEqual({ applied: [], contracts: [] });

  // Drizzle runs all files in one transaction, in which no index can be created concurrently.
  const folder = mkdtempSync(join(tmpdir(), 'docmill-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(releaseFolder, folder, { recursive: true });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql'))) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('INDEX CONCURRENTLY', 'INDEX'));
  }
  const other = await emptyDatabase();
  await migrateWithDrizzle(drizzle(other.pool), { migrationsFolder: folder });
  expect(await other.run(folder)).toEqual({ applied: [], contracts: [] });
});

test('a statement waits briefly for a lock, lets others pass, and names what it waits for', async () => {
  const more = { '0001_more': ['alter table items add column more text'] };
  const { pool, run, lines, folder } = await olderDatabase(more);
  const holder = await pool.connect();
  onTestFinished(() => holder.release());
  await holder.query("begin; set local application_name = 'a-report'; select * from items");
  const migrating = run(folder);
  await expect
    .poll(() => lines.join('\n'))
    .toMatch(/^0001_more, statement 1 of 1: waits for items, held by a-report \(pid \d+, idle in transaction/);
  // The lock is held throughout.
  for (let call = 0; call < 10; call++) await pool.query("update items set name = name || 'b'");
  await holder.query('commit');
  expect(await migrating).toMatchObject({ applied: ['0001_more'] });
});

test('after its time limit a statement fails, names the table, and leaves nothing behind', async () => {
  const more = { '0001_more': ["insert into items values (2, 'b')", 'alter table items add column more text'] };
  const { pool, run, query, folder } = await olderDatabase(more);
  const holder = await pool.connect();
  await holder.query('begin; lock table items in share mode');
  await holder.query('savepoint a');
  const failing = run(folder, { patienceMs: 1_500 });
  // The first statement waits too, because it writes a row.
  await expect(failing).rejects.toThrow(
    /^0001_more, statement 1 of 2: .* a lock on items within 2 s\. Nothing of it remains/,
  );
  await holder.query('commit; begin; select * from items');
  await expect(run(folder, { patienceMs: 1_500 })).rejects.toThrow('0001_more, statement 2 of 2: ');
  await holder.query('commit');
  holder.release();
  expect(await run(folder)).toMatchObject({ applied: ['0001_more'] });
  expect(await query('select id, more from items order by id')).toEqual([
    { id: 1, more: null },
    { id: 2, more: null },
  ]);
});

test('two runs at once wait for each other, also while an index is built', async () => {
  const index = { '0001_index': ['create index concurrently items_id on items (id)', 'insert into items values (0)'] };
  const many = ['create table items as select i as id from generate_series(1, 100000) i'];
  const { run, query, folder } = await olderDatabase(index, many);
  const results = await Promise.all([run(folder), run(folder), run(folder)]);
  expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 1]);
  expect(await query('select id from items where id = 0')).toHaveLength(1);
  expect(await query(isValid('items_id'))).toEqual([{ ok: true }]);
});

test('an invalid index that a failure left is dropped and built again', async () => {
  const index = { '0001_index': ['CREATE UNIQUE INDEX CONCURRENTLY "items_id" ON "items" ("id")'] };
  const { run, query, pool, folder } = await olderDatabase(index, ['create table items (id int)']);
  await pool.query('insert into items values (1), (1)');
  await expect(run(folder)).rejects.toThrow(/^0001_index, statement 1 of 1: could not create unique index/);
  expect(await query(isValid('items_id'))).toEqual([]);
  await expect(pool.query('create unique index concurrently items_id on items (id)')).rejects.toThrow();
  expect(await query(isValid('items_id'))).toEqual([{ ok: false }]);
  await pool.query('delete from items where ctid = (select min(ctid) from items)');
  await run(folder);
  expect(await query(isValid('items_id'))).toEqual([{ ok: true }]);
});

test('a failed statement can be corrected, but not a finished one or a finished migration', async () => {
  const { run, query } = await emptyDatabase();
  const folder = writeMigrations({
    ...initial,
    '0001_more': ["insert into items values (2, 'b')", 'insert into nothing values (1)'],
  });
  await expect(run(folder)).rejects.toThrow('0001_more, statement 2 of 2: relation "nothing" does not exist');
  const third = "insert into items values (3, 'c')";
  fillMigrations(folder, { ...initial, '0001_more': [third, 'select 1'] });
  await expect(run(folder)).rejects.toThrow(/^0001_more, statement 1 of 2: it was changed after this database had/);
  fillMigrations(folder, { ...initial, '0001_more': ["insert into items values (2, 'b')", third] });
  await run(folder);
  expect(await query('select count(*)::int as n from items')).toEqual([{ n: 3 }]);
  expect(await query('select * from drizzle.migration_statements')).toEqual([]);
  fillMigrations(folder, { '0000_initial': ['select 1'], '0001_more': [] });
  await expect(run(folder)).rejects.toThrow(/^0000_initial was changed after .*: undo the change/);
});

test('an index of a partitioned table is built partition by partition, and dropped', async () => {
  const create = [
    'create table "Items" (id text, state text not null) partition by range (id)',
    `create table "Items-1" partition of "Items" for values from ('a') to ('b')`,
    `create table items_2 partition of "Items" for values from ('b') to ('c')`,
  ];
  const index = `CREATE INDEX CONCURRENTLY "items_open" ON "Items" USING btree ("id" DESC) WHERE "Items"."state" in ('new', 'old')`;
  const { run, query, pool, folder } = await olderDatabase({ '0001_index': [index] }, create);
  await pool.query(`insert into "Items" select 'a' || i, 'new' from generate_series(1, 1000) i`);
  // The state that a killed run leaves behind.
  await pool.query(`create index items_open on only "Items" (id desc) where state in ('new', 'old')`);
  await pool.query('create schema if not exists drizzle');
  await expect(run(folder)).rejects.toThrow('already exists');
  await run(folder);
  expect(await query(isValid('items_open'))).toEqual([{ ok: true }]);
  const used = await query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename like '%tems%' order by 1`,
  );
  expect(used).toHaveLength(3);
  await pool.query(`create table items_3 partition of "Items" for values from ('c') to ('d')`);
  expect(await query(isValid('items_open'))).toEqual([{ ok: true }]);
  const drop = ['DROP INDEX CONCURRENTLY IF EXISTS "items_open"'];
  await run(writeMigrations({ '0000_initial': create, '0001_index': [index], '0002_drop': drop }));
  expect(await query(`select indexdef from pg_indexes where tablename like '%tems%'`)).toEqual([]);
});

test('a preview shows what would run, and changes nothing', async () => {
  const { url, run, query } = await emptyDatabase();
  const more = [
    'insert into items values (2)',
    'create index concurrently items_id on items (id)',
    'insert into nothing values (1)',
  ];
  const folder = writeMigrations({
    ...initial,
    '0001_more': more,
    '0002_contract': ['-- contract: needs 0001_more\nselect 1'],
  });
  const before = await previewMigrations(url, { folder });
  expect(before.pending.map(({ statements }) => statements.length)).toEqual([2, 3, 1]);
  expect(await query(`select 1 from pg_namespace where nspname = 'drizzle'`)).toEqual([]);
  await expect(run(folder)).rejects.toThrow('nothing');
  const left = {
    migration: '0001_more',
    statements: [{ sql: 'insert into nothing values (1)', isTransactional: true }],
  };
  expect(await previewMigrations(url, { folder })).toEqual({ pending: [left], contracts: ['0002_contract'] });
  const [, withIndex] = before.pending;
  expect(withIndex?.statements[1]).toEqual({ sql: more[1], isTransactional: false });
});

test('a contract waits until it is requested, except on a new database', async () => {
  const migrations = {
    ...initial,
    '0001_other': ['alter table items add column other text'],
    '0002_contract': ['-- contract: needs 0001_other\nalter table items drop column name'],
    '0003_last': ['alter table items add column last text'],
  };
  const { run, query } = await emptyDatabase();
  await run(writeMigrations(initial));
  const folder = writeMigrations(migrations);
  expect(await run(folder)).toEqual({ applied: ['0001_other', '0003_last'], contracts: ['0002_contract'] });
  expect(await query('select migration from drizzle.required_migrations')).toEqual([]);
  expect(await run(folder, { isContracting: true })).toEqual({ applied: ['0002_contract'], contracts: [] });
  expect(await query('select migration from drizzle.required_migrations')).toHaveLength(1);
  const fresh = await emptyDatabase();
  expect(await fresh.run(folder)).toMatchObject({ applied: Object.keys(migrations), contracts: [] });
});

const first = { '0000_initial': ['create table items (id int, name text)'] };
const second = { ...first, '0001_other': ['alter table items add column other text'] };
const third = { ...second, '0002_contract': ['-- contract: needs 0001_other\nalter table items drop column name'] };

test('a release is ready on a current or newer database, and not on an empty or older one', async () => {
  const { db, run } = await emptyDatabase();
  const releaseOf = (migrations: Record<string, string[]>) => {
    const folder = writeMigrations(migrations);
    return { folder, kind: async () => (await readSchemaState(db, readMigrations(folder))).kind };
  };
  const [oldRelease, release, next] = [releaseOf(first), releaseOf(second), releaseOf(third)];
  const kinds = async () => [await oldRelease.kind(), await release.kind(), await next.kind()];
  expect(await release.kind()).toBe('empty');
  await run(oldRelease.folder);
  expect(await readSchemaState(db, readMigrations(release.folder))).toEqual({
    kind: 'older',
    problem: 'the database is older than this release and lacks 0001_other: run admin migrate',
  });
  await run(release.folder);
  expect(await kinds()).toEqual(Array(3).fill('current'));
  await run(next.folder, { isContracting: true });
  expect(await kinds()).toEqual(['newer', 'current', 'current']);
  const changed = readMigrations(writeMigrations({ ...first, '0000_initial': ['create table items (id bigint)'] }));
  expect((await readSchemaState(db, changed)).kind).toBe('changed');
});

test('readiness names the schema of an empty database, and statements report that the service is unavailable', async () => {
  const { db, run } = await emptyDatabase();
  const readiness = () => createReadiness([schemaCheck(db, silent)])();
  expect(await readiness()).toEqual({ status: 'unavailable', checks: { schema: false } });
  const statement = execute(db, sql`select 1 from accounts`);
  await expect(statement).rejects.toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 5 });
  await run(releaseFolder);
  expect(await readiness()).toEqual({ status: 'ready', checks: { schema: true } });
});
