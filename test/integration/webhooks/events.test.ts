import { afterEach, expect, it } from 'vitest';
import { inTransaction } from '../../../src/shared/db/transaction.ts';
import { endUndeliverableEmails } from '../../../src/shared/domain/deliveries/sweep-deliveries.ts';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import {
  abandonDocument,
  cancelDocument,
  failDocument,
  refundDocument,
} from '../../../src/shared/domain/documents/fail-document.ts';
import { setSubscription } from '../../../src/shared/domain/quota/set-subscription.ts';
import { enqueueEvent } from '../../../src/shared/domain/webhooks/event-outbox.ts';
import { ensureCallbacks, listWebhooks } from '../../../src/shared/domain/webhooks/find-webhooks.ts';
import { maxWebhooks, updateWebhook } from '../../../src/shared/domain/webhooks/manage-webhooks.ts';
import { newSigningSecret } from '../../../src/shared/domain/webhooks/secret-box.ts';
import { removeOldEvents } from '../../../src/shared/domain/webhooks/sweep-webhooks.ts';
import { claimed, documentRequest, newAccount, outcomeOf, tally, together } from '../../support/domain/accounts.ts';
import { claimedDelivery, newDelivery, recipients, settleAttempt } from '../../support/domain/deliveries.ts';
import { violations } from '../../support/domain/invariants.ts';
import { makeDocument, newEndpoint } from '../../support/domain/webhooks.ts';
import { useOwnDatabase } from '../../support/services/database.ts';

const { db, pool } = await useOwnDatabase();
const address = 'https://hooks.example/';

afterEach(async () => {
  const breaches = await violations(pool);
  expect(breaches.filter((breach) => breach.startsWith('N1'))).toEqual([]);
});

interface EventRow {
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly deliveries: number;
}

async function eventsOf(accountId: string): Promise<EventRow[]> {
  const { rows } = await pool.query<EventRow>(
    `select v.type, v.data, count(d.id)::int as deliveries from webhook_events v
      left join webhook_deliveries d on d.event_id = v.id where v.account_id = $1 group by v.id order by v.id`,
    [accountId],
  );
  return rows;
}

const typesOf = async (accountId: string): Promise<string[]> => (await eventsOf(accountId)).map(({ type }) => type);

it('no event is written without subscribers', async () => {
  const account = await newAccount(db, { docs: 1 });
  await newEndpoint(db, account.accountId, address, ['document.failed', 'batch.completed']);
  const deaf = await newEndpoint(db, account.accountId, address);
  await updateWebhook(db, account.accountId, deaf.id, { status: 'disabled' });
  await makeDocument(db, account);
  expect(await eventsOf(account.accountId)).toEqual([]);
});

it('an event goes once to each endpoint that subscribed to it, and to no other account', async () => {
  const [account, other] = [await newAccount(db, { docs: 100 }), await newAccount(db, { docs: 100 })];
  for (const events of [['document.succeeded'], ['document.succeeded', 'email.failed'], ['document.failed']] as const) {
    await newEndpoint(db, account.accountId, address, events);
    await newEndpoint(db, other.accountId, address, events);
  }
  await makeDocument(db, account);
  expect((await eventsOf(account.accountId)).map(({ type, deliveries }) => [type, deliveries])).toEqual([
    ['document.succeeded', 2],
  ]);
  expect(await eventsOf(other.accountId)).toEqual([]);
});

it('a failed document is announced with the error of the API, and a cancelled one is not announced', async () => {
  const account = await newAccount(db, { docs: 10 });
  await newEndpoint(db, account.accountId, address);
  const error = {
    code: 'data_invalid',
    message: 'The data does not fit',
    details: [{ type: 'Message', message: 'no', tag: '{a}' }],
  } as const;
  const start = async () => {
    const request = documentRequest(account.templateId);
    await acceptDocument(db, account.accountId, request);
    return request.id;
  };
  const claim = await claimed(db, await start());
  await together(3, () => failDocument(db, claim, error));
  const lost = await start();
  await together(3, () => abandonDocument(db, { id: lost, attempts: 0 }, { code: 'unavailable', message: 'lost' }));
  await cancelDocument(db, account.accountId, await start());
  const events = await eventsOf(account.accountId);
  expect(events.map(({ type }) => type)).toEqual(['document.failed', 'document.failed']);
  // Events of the same millisecond have no order.
  const dataOf = (id: string) => events.find(({ data }) => data.id === id)?.data;
  expect(dataOf(claim.id)).toMatchObject({
    status: 'failed',
    error: { status: 400, message: error.message, details: error.details },
  });
  expect(dataOf(lost)).toMatchObject({ error: { status: 503, message: 'lost' } });
});

it('a callback is sent to its URL in addition to the endpoints', async () => {
  const account = await newAccount(db, { docs: 10 });
  const { accountId } = account;
  await together(5, () => ensureCallbacks(db, accountId, () => newSigningSecret()));
  await newEndpoint(db, accountId, address, ['document.succeeded']);
  await makeDocument(db, account, 'https://other.example:8443/done?x=1');
  await makeDocument(db, account);
  expect((await eventsOf(accountId)).map(({ deliveries }) => deliveries).sort()).toEqual([1, 2]);
  const { rows } = await pool.query(
    'select callback_url, target = endpoint_id as is_endpoint from webhook_deliveries where account_id = $1 and callback_url is not null',
    [accountId],
  );
  expect(rows).toEqual([{ callback_url: 'https://other.example:8443/done?x=1', is_endpoint: false }]);
  expect(await listWebhooks(db, accountId)).toHaveLength(1);
});

it('80 % and 100 % of a month are announced once each, however many documents end at once', async () => {
  const account = await newAccount(db, { docs: 40, credits: [{ docs: 20 }] });
  const { accountId } = account;
  await newEndpoint(db, accountId, address, ['quota.warning']);
  await together(31, () => makeDocument(db, account));
  expect(await eventsOf(accountId)).toEqual([]);
  await together(20, () => makeDocument(db, account));
  const events = await eventsOf(accountId);
  expect(events.map(({ data }) => [data.threshold, data.allocated]).sort()).toEqual([
    [100, 40],
    [80, 40],
  ]);
  expect(events.map(({ data }) => data.used).sort()).toEqual([32, 40]);
  expect(events[0]?.data.periodEnd).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
  expect(await violations(pool)).toEqual([]);
});

it('a threshold that is crossed again, after a refund or in a larger plan, is not announced again', async () => {
  const account = await newAccount(db, { docs: 5 });
  const { accountId } = account;
  await newEndpoint(db, accountId, address, ['quota.warning']);
  const ids = await together(4, () => makeDocument(db, account));
  expect(await typesOf(accountId)).toEqual(['quota.warning']);
  expect(await refundDocument(db, ids[0] ?? '')).toBe(true);
  await makeDocument(db, account);
  expect(await typesOf(accountId)).toHaveLength(1);
  await setSubscription(db, { accountId, docs: 6, templates: 1 });
  await makeDocument(db, account);
  expect(await typesOf(accountId)).toHaveLength(1);
  await makeDocument(db, account);
  expect((await eventsOf(accountId)).map(({ data }) => data.threshold).sort()).toEqual([100, 80]);
});

it('an e-mail that did not reach everyone is announced when it has ended, not between attempts', async () => {
  const delivery = await newDelivery(db);
  const { accountId, id, documentId } = delivery;
  await newEndpoint(db, accountId, address, ['email.failed']);
  await settleAttempt(db, await claimedDelivery(db, id), 'pending', recipients('sent', 'deferred', 'deferred'));
  expect(await eventsOf(accountId)).toEqual([]);
  const attempt = await claimedDelivery(db, id);
  const outcomes = recipients('sent', 'failed', 'failed');
  await together(3, () => settleAttempt(db, attempt, 'partial', outcomes));
  const events = await eventsOf(accountId);
  expect(events.map(({ type }) => type)).toEqual(['email.failed']);
  expect(events[0]?.data).toMatchObject({
    id,
    documentId,
    status: 'partial',
    attempts: 2,
    reply: '250 OK',
    recipients: { sent: 1, failed: 2, unknown: 0 },
  });
  expect(JSON.stringify(events[0]?.data)).not.toContain('@');
});

it('an e-mail that the sweep ends is announced, and one that was sent is not', async () => {
  const [lost, sent] = [await newDelivery(db), await newDelivery(db)];
  for (const { accountId } of [lost, sent]) await newEndpoint(db, accountId, address, ['email.failed']);
  await settleAttempt(db, await claimedDelivery(db, sent.id), 'sent', recipients('sent'));
  await claimedDelivery(db, lost.id, -1_000);
  expect(await endUndeliverableEmails(db, [lost.id, sent.id], 1)).toEqual([lost.id]);
  expect(await typesOf(lost.accountId)).toEqual(['email.failed']);
  expect(await eventsOf(sent.accountId)).toEqual([]);
});

it('an event of a transaction is written with it or not at all', async () => {
  const { accountId } = await newAccount(db, { docs: 1 });
  await newEndpoint(db, accountId, address);
  const event = { accountId, type: 'batch.completed', data: { id: 'bat_1', status: 'completed' } } as const;
  const undone = inTransaction(db, async (tx) => {
    expect(await enqueueEvent(tx, event)).toBe(true);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await eventsOf(accountId)).toEqual([]);
  expect(await together(5, () => enqueueEvent(db, { ...event, onceKey: 'batch bat_1' }))).toContain(true);
  expect(await eventsOf(accountId)).toEqual([{ type: 'batch.completed', data: event.data, deliveries: 1 }]);
  expect(await enqueueEvent(db, { ...event, accountId: (await newAccount(db, { docs: 1 })).accountId })).toBe(false);
});

it('an account has at most twenty endpoints, however many are created at once', async () => {
  const { accountId } = await newAccount(db, { docs: 1 });
  const outcomes = await together(maxWebhooks + 5, () => outcomeOf(newEndpoint(db, accountId, address)));
  expect(tally(outcomes)).toEqual({ ok: maxWebhooks, conflict: 5 });
});

it('old events are deleted with their deliveries, unless one is in progress, and monthly ones are kept longer', async () => {
  const account = await newAccount(db, { docs: 1 });
  await newEndpoint(db, account.accountId, address);
  await makeDocument(db, account);
  const age = (days: number) =>
    pool.query('update webhook_events set created_at = now() - make_interval(days => $1) where account_id = $2', [
      days,
      account.accountId,
    ]);
  await age(31);
  await removeOldEvents(db, 100, 30);
  expect(await typesOf(account.accountId)).toHaveLength(3);
  await pool.query(`update webhook_deliveries set status = 'delivered', finished_at = now() where account_id = $1`, [
    account.accountId,
  ]);
  await removeOldEvents(db, 100, 30);
  expect(await typesOf(account.accountId)).toEqual(['quota.warning', 'quota.warning']);
  await age(63);
  await removeOldEvents(db, 100, 30);
  expect(await eventsOf(account.accountId)).toEqual([]);
});
