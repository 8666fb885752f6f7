import type { Pool } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import {
  cancelWaiting,
  findJustCancelled,
  findPartlyCancelled,
} from '../../../../src/shared/domain/batches/cancel-batch.ts';
import { findBundling, findOpenBatches } from '../../../../src/shared/domain/batches/claim-bundle.ts';
import { fillQueue } from '../../../../src/shared/domain/batches/dispatch/fill-queue.ts';
import { findWaitingBatches, hasWork } from '../../../../src/shared/domain/batches/dispatch/queue-state.ts';
import { findExpiredBatches } from '../../../../src/shared/domain/batches/expire-batch.ts';
import {
  endLostDeliveries,
  findDueDeliveries,
  findLeftDeliveries,
} from '../../../../src/shared/domain/deliveries/sweep-deliveries.ts';
import { claimDocument } from '../../../../src/shared/domain/documents/claim-document.ts';
import { findExpiredResults } from '../../../../src/shared/domain/documents/expire-results.ts';
import { findUnfinished } from '../../../../src/shared/domain/documents/find-unfinished.ts';
import { removeExpiredKeys } from '../../../../src/shared/domain/idempotency-keys.ts';
import { findPurgeableTemplates } from '../../../../src/shared/domain/templates/remove-template.ts';
import { readArrivals } from '../../../../src/shared/domain/waiting/read-arrivals.ts';
import { readBacklogs } from '../../../../src/shared/domain/waiting/read-backlogs.ts';
import { claimWebhookDelivery } from '../../../../src/shared/domain/webhooks/claim-webhook-delivery.ts';
import {
  endExhaustedWebhooks,
  findDueWebhooks,
  findLeftWebhooks,
  removeOldEvents,
} from '../../../../src/shared/domain/webhooks/sweep-webhooks.ts';
import { lowestId } from '../../../../src/shared/ids.ts';
import { type NewAccount, newAccount } from '../../../support/domain/accounts.ts';
import { useDatabase, useOwnDatabase } from '../../../support/services/database.ts';

/** A separate database with one connection, so that its counters are complete. */
async function countingDatabase() {
  const { url } = await useOwnDatabase();
  return useDatabase({ url, poolSize: 1, timeoutMs: 300_000 });
}

const { db, pool } = await countingDatabase();
const [few, many] = [300, 20_000];
let account: NewAccount;

/**
 * Raises the number of waiting rows of each kind from `from` to `to`: in queues, outboxes and batches, and results that
 * have expired but are still needed.
 */
async function fill(from: number, to: number): Promise<void> {
  const numbers = `generate_series(${from + 1}, ${to}) n`;
  const document = (id: string, batch: string, status: string, rest: string): string => `
    insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
        is_kept, batch_id, status, data_checksum, accepted_at, expires_at, result_store, result_key)
      select '${id}' || n, '${account.accountId}', '${account.templateId}', 1, 'k', 'c', 'docx', 'f', true, ${batch}, '${status}', 'c',
        now() - interval '1 hour' + n * interval '1 millisecond', ${rest} from ${numbers};`;
  const batch = (id: string, status: string, times: string): string => `
    insert into batches (id, account_id, template_id, template_version, format, bundle, bundle_name, status, rows, input_key,
        input_bytes, accepted_at, finished_at, expires_at)
      select '${id}' || n, '${account.accountId}', '${account.templateId}', 1, 'docx', 'zip', 'b', '${status}', 1, 'k', 9, now(), ${times}
      from ${numbers};`;
  await pool.query(`
    ${document('doc_waits', 'null', 'queued', 'null, null, null')}
    ${batch('bat_open', 'accepted', 'null::timestamptz, null::timestamptz')}
    ${document('doc_row', "'bat_open' || n", 'queued', 'null, null, null')}
    insert into batch_rows (batch_id, row, generation_id, data_offset, data_bytes) select 'bat_open' || n, 1, 'doc_row' || n, 0, 9 from ${numbers};
    ${batch('bat_bundling', 'bundling', 'null::timestamptz, null::timestamptz')}
    ${batch('bat_cancelled', 'cancelled', "now(), now() + interval '1 day'")}
    ${document('doc_needed', "'bat_open' || n", 'succeeded', "now() - interval '1 minute', 'object', 'k'")}
    insert into deliveries (id, account_id, generation_id, status, message_id, recipients, created_at, next_attempt_at)
      select 'dlv_' || n || d, '${account.accountId}', 'doc_needed' || n, 'pending', 'm', '[]', now(), now() + d * interval '1 hour'
      from ${numbers}, unnest('{-1,1}'::int[]) d;
    insert into webhook_events (id, account_id, type, data, created_at)
      select 'evt_' || n, '${account.accountId}', 'document.succeeded', '{}', now() from ${numbers};
    insert into webhook_deliveries (id, account_id, event_id, endpoint_id, target, status, created_at, next_attempt_at)
      select 'whd_' || n, '${account.accountId}', 'evt_' || n, 'whk_1', 'whk_1', 'pending', now(), now() - interval '1 minute' from ${numbers};`);
  await pool.query('vacuum analyze');
}

interface Cost {
  /** Pages of tables and indexes. */
  readonly pages: number;
  /** Rows of documents, e-mails, webhooks and batches, read by an index and by sequential scans. */
  readonly byIndex: number;
  readonly inFull: number;
}

/** What a call reads. */
async function costOf(pool: Pool, work: () => Promise<unknown>): Promise<Cost> {
  const read = async (): Promise<Cost> => {
    await pool.query('select pg_stat_force_next_flush()');
    await pool.query('select pg_stat_clear_snapshot()');
    const { rows } = await pool.query<Cost>(
      `select (select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int from pg_statio_user_tables) as pages,
        sum(seq_tup_read)::int as "inFull", sum(idx_tup_fetch)::int as "byIndex"
      from pg_stat_user_tables where relname ~ '^(generations|deliveries|ledger|webhook|batch)'`,
    );
    return rows[0] ?? { pages: 0, byIndex: 0, inFull: 0 };
  };
  const before = await read();
  await work();
  const after = await read();
  return {
    pages: after.pages - before.pages,
    byIndex: after.byIndex - before.byIndex,
    inFull: after.inFull - before.inFull,
  };
}

const limits = { leaseMs: 60_000, perTarget: 4, perAccount: 8 };
const window = { rows: 8, accountRows: 8, bytes: 1e9, aheadUs: 1e12, ttlSeconds: 60 };
const waiting = { format: 'docx', status: 'queued', olderThanMs: 5_000, after: '', limit: 50 } as const;

const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  acceptDocument: () => account.accept(),
  claimDocument: () => claimDocument(db, 'doc_waits7'),
  findUnfinished: () => findUnfinished(db, waiting),
  'findUnfinished, claimed': () => findUnfinished(db, { ...waiting, status: 'running' }),
  'findUnfinished, overdue': () => findUnfinished(db, { ...waiting, olderThanMs: 86_400_000 }),
  hasWork: () => hasWork(db, 'pdf'),
  findWaitingBatches: () => findWaitingBatches(db, 'docx', 8),
  fillQueue: () => fillQueue(db, 'docx', window),
  findOpenBatches: () => findOpenBatches(db, '', 100),
  findBundling: () => findBundling(db, '', 200),
  findPartlyCancelled: () => findPartlyCancelled(db, '', 100),
  findJustCancelled: () => findJustCancelled(db, 100),
  cancelWaiting: () => cancelWaiting(db, 'bat_cancelled1', 500),
  findDueDeliveries: () => findDueDeliveries(db, '', 200),
  findLeftDeliveries: () => findLeftDeliveries(db, 200),
  endLostDeliveries: () => endLostDeliveries(db),
  findDueWebhooks: () => findDueWebhooks(db, '', { limit: 200, maxCount: 8 }),
  findLeftWebhooks: () => findLeftWebhooks(db, 200),
  endExhaustedWebhooks: () => endExhaustedWebhooks(db, 9),
  claimWebhookDelivery: () => claimWebhookDelivery(db, account.accountId, limits),
  removeOldEvents: () => removeOldEvents(db, 1_000, 30),
  removeExpiredKeys: () => removeExpiredKeys(db, 1_000),
  findExpiredResults: () => findExpiredResults(db, '', 200),
  findExpiredBatches: () => findExpiredBatches(db, '', 25),
  findPurgeableTemplates: () => findPurgeableTemplates(db, '', 100),
};
/** Shows that the measurement detects growth. */
const growing = 'a count of all documents';
const readAll = (): Promise<unknown> => pool.query('select count(filename) from generations');

const measured = new Map<string, number[]>();

beforeAll(async () => {
  account = await newAccount(db, { docs: 1_000 });
  await pool.query(`insert into webhook_endpoints (id, account_id, kind, url, events, status, secret, created_at, updated_at)
    values ('whk_1', '${account.accountId}', 'endpoint', 'https://example.com', '[]', 'enabled', 's', now(), now())`);
  for (const [from, to] of [
    [0, few],
    [few, many],
  ] as const) {
    await fill(from, to);
    for (const [name, call] of Object.entries({ ...calls, [growing]: readAll }))
      measured.set(name, [...(measured.get(name) ?? []), (await costOf(pool, call)).pages]);
  }
}, 300_000);

it.each(Object.keys(calls))('%s reads as much with 20,000 waiting as with 300', (name) => {
  const [before = 0, after] = measured.get(name) ?? [];
  expect(before).toBeGreaterThan(0);
  // The index of a larger table is a level or two deeper.
  expect(after).toBeLessThanOrEqual(before * 1.5 + 40);
});

it(`${growing} reads more`, () => {
  const [before = 0, after] = measured.get(growing) ?? [];
  expect(after).toBeGreaterThan(before * 20);
});

it('counting a backlog reads what waits, not what has ended, and no more than its limit', async () => {
  const other = await countingDatabase();
  const { accountId, templateId } = await newAccount(other.db, { docs: 1 });
  /** Documents of this month that were accepted before the last minutes. */
  const addDocuments = async (name: string, status: string, count: number): Promise<void> => {
    await other.pool.query(
      `insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
          is_kept, status, data_checksum, accepted_at)
        select $1 || $2 || n, $3, $4, 1, 'k', 'c', 'docx', 'f', true, $5, 'c', now() - interval '1 hour' + n * interval '1 millisecond'
        from generate_series(1, $6::int) n`,
      [lowestId('doc', Date.now() - 3_600_000), name, accountId, templateId, status, count],
    );
    await other.pool.query('vacuum analyze generations');
  };
  const costOfBacklog = async (max: number, expected: object) => {
    const cost = await costOf(other.pool, async () => {
      expect(await readBacklogs(other.db, { top: 10, max })).toMatchObject(expected);
    });
    expect(cost.inFull).toBe(0);
    return cost.byIndex;
  };
  await addDocuments('e', 'succeeded', many);
  await addDocuments('w', 'queued', 10);
  expect(await costOfBacklog(many, { queues: [{ queue: 'docx', waiting: 10 }] })).toBeLessThan(200);
  const arrivals = await costOf(other.pool, async () => expect(await readArrivals(other.db)).toEqual(new Map()));
  expect(arrivals.inFull).toBe(0);
  expect(arrivals.byIndex).toBeLessThan(50);

  await addDocuments('m', 'queued', many - 10);
  const whole = {
    queues: [{ queue: 'docx', waiting: many }],
    accounts: [{ accountId, waiting: many, queues: { docx: many } }],
    isComplete: true,
  };
  expect(await costOfBacklog(many + 1, whole)).toBeLessThan(many + 200);
  const limited = { queues: [{ queue: 'docx', waiting: 1_000 }], isComplete: false };
  expect(await costOfBacklog(1_000, limited)).toBeLessThan(1_200);
});
