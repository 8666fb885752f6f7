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
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { claimGeneration } from '../../../../src/shared/domain/generations/claim-generation.ts';
import { findExpiredResults } from '../../../../src/shared/domain/generations/expire-results.ts';
import { findUnfinished } from '../../../../src/shared/domain/generations/find-unfinished.ts';
import { removeExpiredKeys } from '../../../../src/shared/domain/idempotency-keys.ts';
import { findPurgeableTemplates } from '../../../../src/shared/domain/templates/remove-template.ts';
import { claimWebhookDelivery } from '../../../../src/shared/domain/webhooks/claim-webhook-delivery.ts';
import {
  endExhaustedWebhooks,
  findDueWebhooks,
  findLeftWebhooks,
  removeOldEvents,
} from '../../../../src/shared/domain/webhooks/sweep-webhooks.ts';
import { documentRequest, newAccount, type TestAccount } from '../../../support/domain/accounts.ts';
import { openTestDatabase, useOwnDatabase } from '../../../support/services/database.ts';

const { url, db: setup } = await useOwnDatabase();
// One connection, so that its counters are complete.
const single = openTestDatabase({ url, poolSize: 1, timeoutMs: 120_000 });
const { db, pool } = single;
const [few, many] = [300, 20_000];
let account: TestAccount;

/** Raises what waits of each kind from `from` to `to`: in queues, outboxes, batches, and past its time but still needed. */
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

/** What it reads would count for the call that runs meanwhile. */
async function turnOffAutovacuum(): Promise<void> {
  await pool.query(`do $$ declare name regclass; begin
    for name in select oid::regclass from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = false, toast.autovacuum_enabled = false)', name);
    end loop; end $$`);
}

/** Pages of tables and indexes that a call reads. */
async function pagesOf(work: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()');
    await pool.query('select pg_stat_clear_snapshot()');
    const { rows } = await pool.query<{ pages: number }>(
      `select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages from pg_statio_user_tables`,
    );
    return rows[0]?.pages ?? 0;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

const limits = { leaseMs: 60_000, perTarget: 4, perAccount: 8 };
const window = { rows: 8, accountRows: 8, bytes: 1e9, aheadUs: 1e12, ttlSeconds: 60 };
const waiting = { format: 'docx', status: 'queued', olderThanMs: 5_000, after: '', limit: 50 } as const;

const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  acceptGeneration: () => acceptGeneration(db, account.accountId, documentRequest(account.templateId)),
  claimGeneration: () => claimGeneration(db, 'doc_waits7'),
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
/** Shows that the measurement sees what grows. */
const growing = 'a count of all documents';
const readAll = (): Promise<unknown> => pool.query('select count(filename) from generations');

const measured = new Map<string, { few: number; many: number }>();

beforeAll(async () => {
  account = await newAccount(setup, { docs: 1_000 });
  await pool.query(`insert into webhook_endpoints (id, account_id, kind, url, events, status, secret, created_at, updated_at)
    values ('whk_1', '${account.accountId}', 'endpoint', 'https://example.com', '[]', 'enabled', 's', now(), now())`);
  await turnOffAutovacuum();
  await fill(0, few);
  for (const [name, call] of Object.entries({ ...calls, [growing]: readAll }))
    measured.set(name, { few: await pagesOf(call), many: 0 });
  await fill(few, many);
  for (const [name, call] of Object.entries({ ...calls, [growing]: readAll })) {
    measured.set(name, { few: measured.get(name)?.few ?? 0, many: await pagesOf(call) });
  }
  await single.close();
}, 300_000);

it.each(Object.keys(calls))('%s reads as much with 20,000 waiting as with 300', (name) => {
  const pages = measured.get(name);
  expect(pages?.few).toBeGreaterThan(0);
  // An index of many rows is a level or two deeper.
  expect(pages?.many).toBeLessThanOrEqual((pages?.few ?? 0) * 1.5 + 40);
});

it(`${growing} reads more`, () => {
  const pages = measured.get(growing);
  expect(pages?.many).toBeGreaterThan((pages?.few ?? 0) * 20);
});
