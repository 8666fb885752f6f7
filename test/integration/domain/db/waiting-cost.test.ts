import { beforeAll, expect, it } from 'vitest';
import { readArrivals } from '../../../../src/shared/domain/waiting/read-arrivals.ts';
import { readBacklogs } from '../../../../src/shared/domain/waiting/read-backlogs.ts';
import { lowestId } from '../../../../src/shared/ids.ts';
import { newAccount } from '../../../support/domain/accounts.ts';
import { openTestDatabase, useOwnDatabase } from '../../../support/services/database.ts';

const { url, db: setup } = await useOwnDatabase();
// One connection, so that its counters are complete.
const { db, pool } = openTestDatabase({ url, poolSize: 1, timeoutMs: 300_000 });
const ended = 100_000;
const waiting = 100_000;
let [accountId, templateId] = ['', ''];

/** `count` documents of this month that were accepted before the last minutes. */
async function addDocuments(name: string, status: string, count: number): Promise<void> {
  const first = lowestId('doc', Date.now() - 3_600_000);
  await pool.query(
    `insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
        is_kept, status, data_checksum, accepted_at)
      select $1 || $2 || n, $3, $4, 1, 'k', 'c', 'docx', 'f', true, $5, 'c', now() - interval '1 hour' + n * interval '1 millisecond'
      from generate_series(1, $6::int) n`,
    [first, name, accountId, templateId, status, count],
  );
  await pool.query('vacuum analyze generations');
}

/** Rows that a call reads of all tables, by index and in full, and its time. */
async function costOf(work: () => Promise<unknown>): Promise<{ byIndex: number; inFull: number; ms: number }> {
  const read = async (): Promise<{ byIndex: number; inFull: number }> => {
    await pool.query('select pg_stat_force_next_flush()');
    await pool.query('select pg_stat_clear_snapshot()');
    const { rows } = await pool.query<{ in_full: number; by_index: number }>(
      `select coalesce(sum(seq_tup_read), 0)::int as in_full, coalesce(sum(idx_tup_fetch), 0)::int as by_index from pg_stat_user_tables
        where relname ~ '^(generations|deliveries|ledger|webhook|batch)'`,
    );
    return { byIndex: rows[0]?.by_index ?? 0, inFull: rows[0]?.in_full ?? 0 };
  };
  const before = await read();
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  const after = await read();
  return { byIndex: after.byIndex - before.byIndex, inFull: after.inFull - before.inFull, ms };
}

beforeAll(async () => {
  ({ accountId, templateId } = await newAccount(setup, { docs: 1 }));
  await addDocuments('e', 'succeeded', ended);
  await addDocuments('w', 'queued', 10);
}, 300_000);

it('reads what waits, not what has ended, and no more than its limit', { timeout: 300_000 }, async () => {
  const few = await costOf(async () => {
    expect((await readBacklogs(db, { top: 10 })).queues).toMatchObject([{ queue: 'docx', waiting: 10 }]);
  });
  expect(few.inFull).toBe(0);
  expect(few.byIndex).toBeLessThan(200);
  const arrivals = await costOf(async () => expect(await readArrivals(db)).toEqual(new Map()));
  expect(arrivals.inFull).toBe(0);
  expect(arrivals.byIndex).toBeLessThan(50);

  await addDocuments('m', 'queued', waiting - 10);
  const many = await costOf(async () => {
    const { queues, accounts, isComplete } = await readBacklogs(db, { top: 10, max: waiting + 1 });
    expect(queues).toMatchObject([{ queue: 'docx', waiting }]);
    expect(accounts).toMatchObject([{ accountId, waiting, queues: { docx: waiting } }]);
    expect(isComplete).toBe(true);
  });
  expect(many.inFull).toBe(0);
  expect(many.byIndex).toBeLessThan(waiting + 200);
  const limited = await costOf(async () => {
    const { queues, isComplete } = await readBacklogs(db, { top: 10, max: 1_000 });
    expect(queues).toMatchObject([{ queue: 'docx', waiting: 1_000 }]);
    expect(isComplete).toBe(false);
  });
  expect(limited.inFull).toBe(0);
  expect(limited.byIndex).toBeLessThan(1_200);
});
