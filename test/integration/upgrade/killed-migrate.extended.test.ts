import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { writeMigrations } from '../../support/domain/write-migrations.ts';
import { bundleProgram } from '../../support/services/bundle-program.ts';
import { useOwnDatabase } from '../../support/services/database.ts';

const run = promisify(execFile);
const programFolder = mkdtempSync(join(tmpdir(), 'docmill-migrate-'));
afterAll(() => rmSync(programFolder, { recursive: true, force: true }));
const script = await bundleProgram(new URL('killed-migrate-process.ts', import.meta.url), programFolder);

const migrations = {
  '0000_initial': [
    'create table parts (id int) partition by range (id)',
    'create table part_1 partition of parts for values from (0) to (100000)',
    'create table items as select i as id, 0 as count from generate_series(1, 20000) i',
  ],
  '0001_more': [
    'update items set count = count + 1 where id = 1',
    'create index concurrently items_id on items (id)',
    'create index concurrently parts_id on parts (id)',
    'drop index concurrently if exists items_id',
    'create index concurrently items_count on items (count)',
    'update items set count = count + 1 where id = 2',
  ],
};

/** Runs the migrations in a process that is killed at one of its queries. Returns false when it made fewer queries. */
async function isKilled(url: string, folder: string, query: number, when: string): Promise<boolean> {
  try {
    const args = [script, url, folder, String(query), when];
    expect((await run(process.execPath, args)).stdout).toBe('finished');
    return false;
  } catch (error) {
    if ((error as { readonly signal?: string }).signal !== 'SIGKILL') throw error;
    return true;
  }
}

async function expectFinished(pool: pg.Pool): Promise<void> {
  expect((await pool.query('select id, count from items where count > 0 order by id')).rows).toEqual([
    { id: 1, count: 1 },
    { id: 2, count: 1 },
  ]);
  const { rows } = await pool.query(
    `select c.relname as name, indisvalid as ok from pg_index join pg_class c on c.oid = indexrelid
      where indrelid in ('items'::regclass, 'parts'::regclass, 'part_1'::regclass) order by 1`,
  );
  expect(rows).toEqual([
    { name: 'items_count', ok: true },
    { name: expect.stringMatching(/^part_1_/), ok: true },
    { name: 'parts_id', ok: true },
  ]);
  expect((await pool.query('select * from drizzle.migration_statements')).rows).toEqual([]);
}

test.each(['sent', 'answered'])(
  'a run of migrations that is killed as soon as any query is %s is continued by the next run exactly once',
  async (when) => {
    const folder = writeMigrations(migrations);
    const parallel = 4;
    const kills = await Promise.all(
      Array.from({ length: parallel }, async (_, first) => {
        const { pool, url } = await useOwnDatabase({ isEmpty: true });
        for (let query = first + 1; ; query += parallel) {
          const wasKilled = await isKilled(url, folder, query, when);
          await migrateDatabase(url, { folder });
          await expectFinished(pool);
          if (!wasKilled) return Math.floor(query / parallel);
          await pool.query('drop schema drizzle cascade; drop schema public cascade; create schema public');
        }
      }),
    );
    expect(kills.reduce((sum, count) => sum + count)).toBeGreaterThan(30);
  },
);
