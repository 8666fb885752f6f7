import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { readMigrations } from '../../../src/shared/db/migrations/read-migrations.ts';
import { readSchemaState, schemaCheck } from '../../../src/shared/db/schema-state.ts';
import { execute } from '../../../src/shared/db/statement.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { createReadiness } from '../../../src/shared/readiness.ts';
import { writeMigrations } from '../../support/domain/write-migrations.ts';
import { useOwnDatabase } from '../../support/services/database.ts';

const first = { '0000_initial': ['create table items (id int, name text)'] };
const second = { ...first, '0001_other': ['alter table items add column other text'] };
const third = { ...second, '0002_contract': ['-- contract: needs 0001_other\nalter table items drop column name'] };

test('a release is ready on what it needs: not on an empty or older database, but on one that only has more', async () => {
  const { db, url } = await useOwnDatabase({ isEmpty: true });
  const [oldRelease, release, next] = [first, second, third].map((migrations) => {
    const folder = writeMigrations(migrations);
    return { folder, kind: async () => (await readSchemaState(db, readMigrations(folder))).kind };
  });
  expect(await release?.kind()).toBe('empty');
  await migrateDatabase(url, { folder: oldRelease?.folder });
  expect(await readSchemaState(db, readMigrations(release?.folder))).toEqual({
    kind: 'older',
    problem: 'the database is older than this release and lacks 0001_other: run admin migrate',
  });
  await migrateDatabase(url, { folder: release?.folder });
  expect([await oldRelease?.kind(), await release?.kind(), await next?.kind()]).toEqual(Array(3).fill('current'));
  await migrateDatabase(url, { folder: next?.folder, isContracting: true });
  expect([await oldRelease?.kind(), await release?.kind(), await next?.kind()]).toEqual([
    'newer',
    'current',
    'current',
  ]);
  const changed = readMigrations(writeMigrations({ ...first, '0000_initial': ['create table items (id bigint)'] }));
  expect((await readSchemaState(db, changed)).kind).toBe('changed');
});

test('on an empty database readiness names the schema, and statements report that the service is unavailable', async () => {
  const { db, url } = await useOwnDatabase({ isEmpty: true });
  const readiness = () => createReadiness([schemaCheck(db, createLogger('silent', 'test'))])();
  expect(await readiness()).toEqual({ status: 'unavailable', checks: { schema: false } });
  const statement = execute(db, sql`select 1 from accounts`);
  await expect(statement).rejects.toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 5 });
  await migrateDatabase(url);
  expect(await readiness()).toEqual({ status: 'ready', checks: { schema: true } });
});
