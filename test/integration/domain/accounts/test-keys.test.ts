import { expect, it } from 'vitest';
import { createKey } from '../../../../src/shared/domain/api-keys/create-key.ts';
import { findKey } from '../../../../src/shared/domain/api-keys/find-key.ts';
import { claimDelivery } from '../../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { findDelivery } from '../../../../src/shared/domain/deliveries/find-delivery.ts';
import { resendDelivery } from '../../../../src/shared/domain/deliveries/resend-delivery.ts';
import { acceptGeneration, createAcceptor } from '../../../../src/shared/domain/generations/accept-generation.ts';
import {
  cancelGeneration,
  failGeneration,
  refundGeneration,
} from '../../../../src/shared/domain/generations/fail-generation.ts';
import { settleDocuments } from '../../../../src/shared/domain/generations/settle-documents.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { readUsage } from '../../../../src/shared/domain/usage/read-usage.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  claimed,
  documentRequest,
  finishedDocument,
  newAccount,
  outcomeOf,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { newEndpoint } from '../../../support/domain/webhooks.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const period = { from: new Date('2026-01-01'), to: new Date('2100-01-01'), limit: 100, groupBy: 'day' } as const;

async function testAccount(docs: number) {
  const account = await newAccount(db, { docs });
  const { keyId, apiKey } = await createKey(db, { accountId: account.accountId, isTest: true });
  const request = () => documentRequest(account.templateId, { keyId, isTest: true });
  const ledger = async () =>
    (await pool.query('select count(*)::int as entries from ledger where account_id = $1', [account.accountId])).rows;
  return { ...account, apiKey, keyId, request, ledger };
}

it('a test key has a prefix of its own and is found as such', async () => {
  const { accountId, keyId, apiKey } = await testAccount(0);
  expect(apiKey).toMatch(/^dts_test_[0-9a-z]{16}_[0-9a-z]{40}$/);
  expect(await findKey(db, apiKey)).toMatchObject({ accountId, keyId, isTest: true });
  // The prefix is part of the secret.
  expect(await findKey(db, apiKey.replace('test_', ''))).toBeUndefined();
});

it('test documents need no quota, move no units and leave no ledger entry, however they end', async () => {
  const { accountId, request, ledger } = await testAccount(0);
  expect(await outcomeOf(acceptGeneration(db, accountId, { ...request(), isTest: false }))).toBe('quota_exceeded');
  const accept = async () => (await acceptGeneration(db, accountId, request())).id;
  const done = await claimed(db, await accept());
  expect(done.isTest).toBe(true);
  expect(await succeedGeneration(db, done, finishedDocument(done))).toBe(true);
  expect(await failGeneration(db, await claimed(db, await accept()), { code: 'internal', message: 'x' })).toBe(true);
  expect(await cancelGeneration(db, accountId, await accept())).toBe(true);
  const lost = await claimed(db, await accept());
  await succeedGeneration(db, lost, finishedDocument(lost));
  expect(await refundGeneration(db, lost.id)).toBe(true);
  expect(await ledger()).toEqual([{ entries: 0 }]);
  expect((await readUsage(db, { accountId, ...period })).totals.documents).toBe(0);
  expect(await violations(pool)).toEqual([]);
});

it('its webhooks are marked; those of other documents are not', async () => {
  const { accountId, templateId, request } = await testAccount(5);
  await newEndpoint(db, accountId, 'http://127.0.0.1:9/hook', ['document.succeeded', 'document.failed']);
  const ids: string[] = [];
  for (const one of [request(), documentRequest(templateId)]) {
    const claim = await claimed(db, (await acceptGeneration(db, accountId, one)).id);
    await succeedGeneration(db, claim, finishedDocument(claim));
    ids.push(claim.id);
  }
  const failing = await claimed(db, (await acceptGeneration(db, accountId, request())).id);
  await failGeneration(db, failing, { code: 'internal', message: 'x' });
  const { rows } = await pool.query(
    `select data ->> 'id' as id, data -> 'test' as test from webhook_events where account_id = $1`,
    [accountId],
  );
  const marks = Object.fromEntries(rows.map(({ id, test }) => [id, test]));
  expect(marks).toEqual({ [ids[0] ?? '']: true, [ids[1] ?? '']: null, [failing.id]: true });
});

it('its e-mail is recorded and not sent, also when it is settled together with one of a live key', async () => {
  const { accountId, templateId, request } = await testAccount(5);
  await newEndpoint(db, accountId, 'http://127.0.0.1:9/hook', ['email.failed']);
  const email = () => ({
    deliveryId: newId('dlv'),
    to: ['a@example.com'],
    cc: ['b@example.com'],
    bcc: [],
    subject: null,
    body: null,
  });
  const [ofTest, ofLive] = [email(), email()];
  const claims = [];
  for (const one of [{ ...request(), email: ofTest }, documentRequest(templateId, { email: ofLive })])
    claims.push(await claimed(db, (await acceptGeneration(db, accountId, { ...one, isKept: true })).id));
  await settleDocuments(
    db,
    claims.map((attempt) => ({ attempt, document: finishedDocument(attempt) })),
  );
  expect(await findDelivery(db, accountId, ofTest.deliveryId)).toMatchObject({
    status: 'skipped',
    attempts: 0,
    recipients: ['a', 'b'].map((name) => ({ address: `${name}@example.com`, status: 'skipped' })),
    lastReply: 'not sent: the document was requested with a test key',
    finishedAt: expect.any(Date),
  });
  expect(await findDelivery(db, accountId, ofLive.deliveryId)).toMatchObject({
    status: 'pending',
    finishedAt: undefined,
  });
  expect(await claimDelivery(db, ofTest.deliveryId, 60_000)).toBeUndefined();
  expect(await outcomeOf(resendDelivery(db, accountId, ofTest.deliveryId, undefined))).toBe('conflict');
  const events = await pool.query('select 1 from webhook_events where account_id = $1', [accountId]);
  expect(events.rows).toEqual([]);
  expect(await violations(pool)).toEqual([]);
});

it('an open month is not needed, and a used-up one not noticed', async () => {
  const { accountId, request } = await testAccount(1);
  const late = new Date('2090-01-01');
  const { id } = await acceptGeneration(db, accountId, request(), late);
  expect(id).toMatch(/^doc_/);
});

it('live and test documents that settle together charge the live ones only', async () => {
  const { accountId, templateId, request } = await testAccount(10);
  const requests = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? request() : documentRequest(templateId)));
  const claims = [];
  for (const one of requests) claims.push(await claimed(db, (await acceptGeneration(db, accountId, one)).id));
  const settlements = claims.map((attempt) => ({ attempt, document: finishedDocument(attempt) }));
  expect(await settleDocuments(db, settlements)).toHaveLength(8);
  expect((await readQuotas(db, accountId)).remaining.total.docs).toBe(6);
  expect(await violations(pool)).toEqual([]);
});

it('concurrent requests of a test key and a live key are grouped by key', async () => {
  const { accountId, templateId, request } = await testAccount(5);
  const accept = createAcceptor(db, 1_000);
  const outcomes = await together(40, (i) =>
    outcomeOf(accept(accountId, i % 2 === 0 ? request() : documentRequest(templateId, { keyId: 'key_live' }))),
  );
  expect(tally(outcomes)).toEqual({ ok: 25, quota_exceeded: 15 });
  expect((await readQuotas(db, accountId)).remaining.total.docs).toBe(0);
  expect(await violations(pool)).toEqual([]);
});

it('an unknown template is not found', async () => {
  const { accountId, request } = await testAccount(0);
  const unknown = { ...request(), templateId: `tpl_${'0'.repeat(26)}` };
  expect(await outcomeOf(acceptGeneration(db, accountId, unknown))).toBe('not_found');
});
