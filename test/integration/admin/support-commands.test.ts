import { describe, expect, it } from 'vitest';
import { storePrivateRows } from '../../../src/api/batches/private-rows.ts';
import { findBatch } from '../../../src/shared/domain/batches/find-batches.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { cancelDocument, failDocument } from '../../../src/shared/domain/documents/fail-document.ts';
import { succeedDocument } from '../../../src/shared/domain/documents/succeed-document.ts';
import { readQuotas } from '../../../src/shared/domain/quota/read-quotas.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { claimed, documentRequest, finishedDocument, newAccount } from '../../support/domain/accounts.ts';
import { claimedDelivery, newDelivery, recipients, settleAttempt } from '../../support/domain/deliveries.ts';
import { finishedBatch } from '../../support/domain/finished-batch.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { type AdminRun, adminOn, runAdmin, storageVariables } from './run-admin.ts';

const { db, pool, url } = await useOwnDatabase();

const admin = adminOn({ db, url });

interface AccountsPage {
  readonly accounts: readonly { readonly accountId: string; readonly subscription: object | null }[];
  readonly next: string | null;
}

interface DeliveriesPage {
  readonly deliveries: readonly { readonly deliveryId: string; readonly status: string }[];
  readonly next: string | null;
}

/** All pages of a list, each from the end of the one before it. */
async function pagesOf<Page extends { readonly next: string | null }>(
  from: string,
  ...line: string[]
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next: string | null | undefined; next !== null; next = pages.at(-1)?.next)
    pages.push(await admin<Page>(...line, ...(next === undefined ? [] : [from, next])));
  return pages;
}

describe('list-accounts', () => {
  it('lists every account once over pages, with the use of this month', async () => {
    const credits = [{ docs: 2_000_000_000 }, { docs: 2_000_000_000 }];
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push((await newAccount(db, { docs: 10, credits })).accountId);
    const { accountId, templateId } = await newAccount(db, { docs: 10 });
    await acceptDocument(db, accountId, documentRequest(templateId));
    const { keyId } = await admin<{ keyId: string }>('create-key', '--account', accountId);
    await admin('create-key', '--account', accountId);
    await admin('revoke-key', '--key', keyId);
    const pages = await pagesOf<AccountsPage>('--after', 'list-accounts', '--limit', '2');
    expect(Math.max(...pages.map(({ accounts }) => accounts.length))).toBe(2);
    const seen = pages.flatMap(({ accounts }) => accounts);
    const seenIds = seen.map((account) => account.accountId);
    expect(seenIds).toEqual([...new Set(seenIds)].sort());
    expect(seenIds).toEqual(expect.arrayContaining([...ids, accountId]));
    expect(seen.find((account) => account.accountId === accountId)).toEqual({
      accountId,
      name: 'test',
      createdAt: expect.any(Date),
      suspendedAt: null,
      deletingSince: null,
      templates: 1,
      keys: 1,
      subscription: { docs: 10, used: 1 },
      credits: { docs: 0, used: 0 },
    });
    expect(seen.find((account) => account.accountId === ids[0])).toMatchObject({
      credits: { docs: 4_000_000_000, used: 0 },
    });
  });
});

describe('usage', () => {
  it('adds up what the account produced, and refuses an account that does not exist', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 10 });
    const request = documentRequest(templateId);
    await acceptDocument(db, accountId, request);
    const claim = await claimed(db, request.id);
    await succeedDocument(db, claim, finishedDocument(claim));
    const today = new Date().toISOString().slice(0, 10);
    const byTemplate = await admin('usage', '--account', accountId, '--from', today, '--to', today, '--by', 'template');
    expect(byTemplate).toMatchObject({
      from: today,
      totals: { documents: 1 },
      groups: [{ name: templateId, documents: 1 }],
    });
    expect(await admin('usage', '--account', accountId)).toMatchObject({ to: today, groups: [{ name: today }] });
    await expect(admin('usage', '--account', `acc_${'0'.repeat(26)}`)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    [['--from', '2026-02-30'], 'must be a date'],
    [['--from', '2026-11-02', '--to', '2026-11-01'], 'must not be after'],
    [['--from', '2020-01-01'], 'at most 366 days'],
    [['--by', 'month'], '--by must be day, template, key'],
  ])('refuses %j', async (line, problem) => {
    const { accountId } = await newAccount(db, { docs: 1 });
    await expect(admin('usage', '--account', accountId, ...line)).rejects.toThrow(problem);
  });
});

describe('busiest-accounts', () => {
  it('orders accounts by the time that their documents occupied engines', async () => {
    const busy = async (renderMs: number, convertMs: number) => {
      const { accountId, templateId } = await newAccount(db, { docs: 10 });
      const request = documentRequest(templateId);
      await acceptDocument(db, accountId, request);
      const claim = await claimed(db, request.id);
      const timings = { queueMs: 1, renderMs, convertMs, totalMs: renderMs + convertMs + 1 };
      await succeedDocument(db, claim, { ...finishedDocument(claim), timings });
      return accountId;
    };
    const [quick, slow] = [await busy(50_000, 0), await busy(1_000, 3_600_000)];
    const { accounts } = await admin<{ accounts: { accountId: string }[] }>('busiest-accounts', '--minutes', '5');
    const found = accounts.filter(({ accountId }) => [quick, slow].includes(accountId));
    expect(found).toEqual([
      { accountId: slow, documents: 1, failed: 0, engineSeconds: 3_601 },
      { accountId: quick, documents: 1, failed: 0, engineSeconds: 50 },
    ]);
    expect(await admin('busiest-accounts', '--limit', '1')).toMatchObject({ accounts: [{ accountId: slow }] });
    await expect(admin('busiest-accounts', '--minutes', '0')).rejects.toThrow('--minutes must be a whole number');
  });
});

describe('deliveries', () => {
  it('lists deliveries with one status over pages, newest first', async () => {
    const first = await newDelivery(db);
    await settleAttempt(db, await claimedDelivery(db, first.id), 'failed', recipients('failed'));
    const line = ['deliveries', '--account', first.accountId];
    expect(await admin<DeliveriesPage>(...line, '--status', 'failed')).toEqual({
      deliveries: [expect.objectContaining({ deliveryId: first.id, status: 'failed', documentId: first.documentId })],
      next: null,
    });
    expect(await admin(...line, '--status', 'sent')).toEqual({ deliveries: [], next: null });
    await pool.query(
      `insert into deliveries (id, account_id, generation_id, status, message_id, recipients, created_at, next_attempt_at)
        select 'dlv_' || lpad(n::text, 26, '0'), $1, $2, case when n % 2 = 0 then 'sent' else 'failed' end, 'm', '[]', now(), now()
        from generate_series(1, 9) n`,
      [first.accountId, first.documentId],
    );
    const pages = await pagesOf<DeliveriesPage>('--before', ...line, '--status', 'sent', '--limit', '3');
    const sent = pages.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => Number(deliveryId.slice(4))));
    expect(sent).toEqual([8, 6, 4, 2]);
  });
});

describe('retrying an e-mail', () => {
  it('sends a failed one again once, and refuses one in progress', async () => {
    const delivery = await newDelivery(db);
    await settleAttempt(db, await claimedDelivery(db, delivery.id), 'failed', recipients('sent', 'failed', 'failed'));
    const line = ['retry', '--delivery', delivery.id];
    expect(await admin(...line)).toEqual({ outcome: 'queued', deliveryId: delivery.id });
    expect(await admin(...line)).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('in progress') });
    const again = await claimedDelivery(db, delivery.id);
    expect(again.recipients.map(({ status }) => status)).toEqual(['sent', 'pending', 'pending']);
    await settleAttempt(db, again, 'sent', recipients('sent'));
    expect(await admin(...line)).toMatchObject({ outcome: 'refused', reason: 'Already delivered to every recipient' });
    await expect(admin('retry', '--delivery', `dlv_${'0'.repeat(26)}`)).rejects.toMatchObject({ code: 'not_found' });
  });
});

/** Runs the program, with the database and the store of the worker. */
function retry(deps: WorkerDeps, ...line: string[]): Promise<AdminRun> {
  return runAdmin(['retry', ...line], { DATABASE_URL: url, ...storageVariables(deps.config) });
}

/** An ended batch of one document and two failures, requested with a key. */
async function endedBatch(deps: WorkerDeps) {
  const rows = [{ filename: 'a.docx', bytes: Buffer.from('a') }, { error: 'broken' }, { error: 'broken' }];
  const batch = await finishedBatch({ deps, db, pool }, { bundle: 'none', format: 'docx' }, rows);
  const { keyId } = await admin<{ keyId: string }>('create-key', '--account', batch.accountId);
  await pool.query('update generations set api_key_id = $1 where batch_id = $2', [keyId, batch.batchId]);
  await pool.query(
    `update batches set status = 'completed', finished_at = now(), expires_at = now() + interval '1 day' where id = $1`,
    [batch.batchId],
  );
  const { inputKey } = await findBatch(db, batch.accountId, batch.batchId);
  await storePrivateRows(deps.objects, inputKey, []);
  return batch;
}

describe('retrying documents', () => {
  it('requeues one failed row of a batch once, and reserves one document', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId, batchId, jobIds } = await endedBatch(deps);
    const [, second = ''] = jobIds;
    const remaining = async () => (await readQuotas(db, accountId)).remaining.total.docs;
    const before = await remaining();
    const runs = await Promise.all([1, 2, 3].map(() => retry(deps, '--document', second)));
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    expect(runs.find(({ code }) => code === 0)?.out).toEqual({
      outcome: 'queued',
      documentId: second,
      batchId,
      documents: 1,
    });
    expect(await remaining()).toBe(before - 1);
    const { rows } = await pool.query(
      'select g.id, g.status from batch_rows r join generations g on g.id = r.generation_id where r.batch_id = $1 order by r.row',
      [batchId],
    );
    expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'queued', 'failed']);
    expect(rows[1].id).not.toBe(second);
    expect((await findBatch(db, accountId, batchId)).status).toBe('accepted');
    expect(await retry(deps, '--document', second)).toMatchObject({ code: 1, out: { outcome: 'refused' } });
    expect(await remaining()).toBe(before - 1);
  });

  it('requeues all failed rows of a batch, and refuses while the batch runs', async () => {
    const deps = await newWorkerDeps(db, url);
    const { batchId } = await endedBatch(deps);
    expect(await retry(deps, '--batch', batchId)).toMatchObject({ code: 0, out: { outcome: 'queued', documents: 2 } });
    expect(await retry(deps, '--batch', batchId)).toMatchObject({
      code: 1,
      out: { outcome: 'refused', batchId, reason: 'The batch has not ended yet. Wait until it has, or cancel it.' },
    });
  });

  it('is refused and changes nothing when the quota does not suffice', async () => {
    const deps = await newWorkerDeps(db, url);
    const { accountId, batchId } = await endedBatch(deps);
    await admin('set-subscription', '--account', accountId, '--docs', '2', '--templates', '1');
    expect(await retry(deps, '--batch', batchId)).toMatchObject({
      code: 1,
      out: { reason: expect.stringMatching(/quota|left/i) },
    });
    expect((await findBatch(db, accountId, batchId)).status).toBe('completed');
  });

  it('refuses every document that is not a failed row, with the reason, and writes nothing', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 10 });
    const accept = async () => {
      const request = documentRequest(templateId);
      await acceptDocument(db, accountId, request);
      return request.id;
    };
    const [queued, succeeded, failed, cancelled] = [await accept(), await accept(), await accept(), await accept()];
    const claim = await claimed(db, succeeded);
    await succeedDocument(db, claim, finishedDocument(claim));
    await failDocument(db, await claimed(db, failed), { code: 'data_invalid', message: 'broken' });
    await cancelDocument(db, accountId, cancelled);
    const state = async () =>
      (await pool.query('select * from ledger where account_id = $1 order by id', [accountId])).rows;
    const before = await state();
    for (const [id, reason] of [
      [queued, 'has not ended'],
      [succeeded, 'was produced and charged'],
      [failed, 'is erased when it ends'],
      [cancelled, 'cancelled'],
    ] as const) {
      expect(await admin('retry', '--document', id)).toMatchObject({
        outcome: 'refused',
        reason: expect.stringContaining(reason),
      });
    }
    expect(await state()).toEqual(before);
    await expect(admin('retry', '--document', `doc_${'0'.repeat(26)}`)).rejects.toMatchObject({ code: 'not_found' });
    await expect(admin('retry')).rejects.toThrow('Give either --document');
  });
});
