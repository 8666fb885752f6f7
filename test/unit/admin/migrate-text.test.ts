import { expect, test } from 'vitest';
import { databaseCommands } from '../../../src/admin/commands/database.ts';

const textOf = (result: object) => databaseCommands.migrate?.textOf?.(result);

test('a preview of a migration is readable SQL and a summary', () => {
  const pending = [
    {
      migration: '0007_notes',
      statements: [
        { sql: 'alter table "notes"\n  add column "seen" boolean', isTransactional: true },
        { sql: 'create index concurrently "notes_seen" on "notes" ("seen");', isTransactional: false },
      ],
    },
    { migration: '0008_more', statements: [{ sql: 'select 1', isTransactional: true }] },
  ];
  expect(textOf({ migrated: false, pending, contracts: ['0009_less'] })).toBe(`-- 0007_notes: 2 statements

alter table "notes"
  add column "seen" boolean;

-- concurrently: blocks nobody, and waits for older transactions
create index concurrently "notes_seen" on "notes" ("seen");

-- 0008_more: 1 statement

select 1;

-- Pending: 2 migrations. Nothing was changed.
-- Only with --contract, when no older release runs: 0009_less.`);
});

test('a database that is up to date gets one sentence, and a finished migration gets a table', () => {
  expect(textOf({ migrated: false, pending: [], contracts: [] })).toBe('-- Nothing is pending.');
  expect(textOf({ migrated: true, applied: [], contracts: [] })).toBeUndefined();
});
