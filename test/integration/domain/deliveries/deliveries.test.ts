import { describe, expect, it } from 'vitest';
import type { RecipientResult } from '../../../../src/shared/db/schema/deliveries.ts';
import { createDelivery } from '../../../../src/shared/domain/deliveries/create-delivery.ts';
import {
  claimDelivery,
  type DeliveryOutcome,
  markTransmitting,
  renewLease,
} from '../../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { findDelivery, listDeliveriesOf } from '../../../../src/shared/domain/deliveries/find-delivery.ts';
import { resendDelivery } from '../../../../src/shared/domain/deliveries/resend-delivery.ts';
import {
  endLostDeliveries,
  endUndeliverableEmails,
  findDueDeliveries,
  findLeftDeliveries,
} from '../../../../src/shared/domain/deliveries/sweep-deliveries.ts';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  claimed,
  emailTo,
  failOne,
  finishedDocument,
  newAccount,
  outcomeOf,
  together,
} from '../../../support/domain/accounts.ts';
import {
  claimedDelivery,
  minuteMs,
  newDelivery,
  recipients,
  settleAttempt,
  statusOf,
} from '../../../support/domain/deliveries.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
keepRules(pool);
const dueDeliveries = async () => [
  ...(await findDueDeliveries(db, '', 10_000)).ids,
  ...(await findLeftDeliveries(db, 10_000)),
];

/** A delivery whose first attempt had this outcome. */
async function attempted(status: DeliveryOutcome['status'], outcomes: RecipientResult[], retryInMs = 0) {
  const delivery = await newDelivery(db);
  const { accountId, id } = delivery;
  await settleAttempt(db, await claimedDelivery(db, id), status, outcomes, retryInMs);
  return { ...delivery, resend: () => outcomeOf(resendDelivery(db, accountId, id, undefined)) };
}
const deferred = recipients('sent', 'deferred', 'deferred');

describe('the outbox', () => {
  it('has a delivery as soon as the document is settled, not before, and shows it to its account alone', async () => {
    const { accountId, accept } = await newAccount(db, { docs: 2 });
    const email = { ...emailTo('a@example.com'), subject: 'Yours' };
    const claim = await claimed(db, await accept({ email, isKept: true }));
    expect(await outcomeOf(findDelivery(db, accountId, email.deliveryId))).toBe('not_found');
    await succeedDocument(db, claim, finishedDocument(claim));
    const other = await newAccount(db, { docs: 1 });
    expect(await outcomeOf(findDelivery(db, other.accountId, email.deliveryId))).toBe('not_found');
    expect(await outcomeOf(resendDelivery(db, other.accountId, email.deliveryId, undefined))).toBe('not_found');
    expect(await claimedDelivery(db, email.deliveryId)).toMatchObject({
      messageId: email.deliveryId,
      attempts: 1,
      filename: 'Letter.docx',
      email: { subject: 'Yours' },
      result: { store: 'object', sizeBytes: 2_048 },
    });
  });

  it('has no delivery for a document that failed', async () => {
    const { accountId, accept } = await newAccount(db, { docs: 2 });
    const email = emailTo('a@example.com');
    await failOne(db, await accept({ email, isKept: true }), 'data_invalid');
    expect(await outcomeOf(findDelivery(db, accountId, email.deliveryId))).toBe('not_found');
  });
});

describe('an attempt at a delivery', () => {
  it('is claimed by one of many workers', async () => {
    const { id } = await newDelivery(db);
    const claims = await together(20, () => claimDelivery(db, id, minuteMs));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  it('ends the delivery once', async () => {
    const delivery = await newDelivery(db);
    const attempt = await claimedDelivery(db, delivery.id);
    expect(await markTransmitting(db, attempt, minuteMs)).toBe(true);
    expect(await settleAttempt(db, attempt, 'partial', recipients('sent', 'failed', 'sent'))).toBe(true);
    expect(await settleAttempt(db, attempt, 'failed', recipients('failed'))).toBe(false);
    expect(await statusOf(db, delivery)).toBe('partial: sent failed sent');
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
  });

  it('that is deferred is not due before its time', async () => {
    const { accountId, id } = await attempted('pending', deferred, 60 * minuteMs);
    expect(await claimDelivery(db, id, minuteMs)).toBeUndefined();
    expect(await dueDeliveries()).not.toContain(id);
    const { nextAttemptAt } = await findDelivery(db, accountId, id);
    const inMinutes = ((nextAttemptAt?.getTime() ?? 0) - Date.now()) / minuteMs;
    expect(inMinutes).toBeGreaterThan(50);
    expect(inMinutes).toBeLessThanOrEqual(60);
  });

  it('that is deferred without a pause is due at once, for the recipients that are still open', async () => {
    const { id } = await attempted('pending', deferred);
    expect(await dueDeliveries()).toContain(id);
    expect(await claimedDelivery(db, id)).toMatchObject({ attempts: 2, recipients: deferred });
  });

  it('keeps its lease for as long as it is renewed', async () => {
    const { id } = await newDelivery(db);
    const attempt = await claimedDelivery(db, id);
    expect(await renewLease(db, attempt, minuteMs)).toBe(true);
    expect(await claimDelivery(db, id, minuteMs)).toBeUndefined();
    await renewLease(db, attempt, 0);
    expect(await renewLease(db, attempt, minuteMs)).toBe(false);
    expect(await claimDelivery(db, id, minuteMs)).toBeDefined();
  });
});

describe('a worker that is lost', () => {
  it('before the final dot leaves the delivery to the next attempt and can complete nothing later', async () => {
    const delivery = await newDelivery(db);
    const lost = await claimedDelivery(db, delivery.id, 0);
    // Although no other attempt has claimed it yet.
    expect(await markTransmitting(db, lost, minuteMs)).toBe(false);
    expect(await dueDeliveries()).toContain(delivery.id);
    const next = await claimedDelivery(db, delivery.id);
    expect(await markTransmitting(db, lost, minuteMs)).toBe(false);
    expect(await settleAttempt(db, lost, 'sent', recipients('sent'))).toBe(false);
    expect(await markTransmitting(db, next, minuteMs)).toBe(true);
    expect(await settleAttempt(db, next, 'sent', recipients('sent'))).toBe(true);
    expect(await statusOf(db, delivery)).toBe('sent: sent sent sent');
  });

  it('at the final dot leaves an unknown outcome for the open recipients, once its lease is over', async () => {
    const delivery = await attempted('pending', recipients('sent', 'deferred', 'failed'));
    const attempt = await claimedDelivery(db, delivery.id);
    await markTransmitting(db, attempt, minuteMs);
    expect(await endLostDeliveries(db)).not.toContain(delivery.id);
    expect(await statusOf(db, delivery)).toBe('transmitting: sent deferred failed');
    await pool.query(`update deliveries set locked_until = now() - interval '1 second' where id = $1`, [delivery.id]);
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
    expect(await dueDeliveries()).not.toContain(delivery.id);
    expect(await endLostDeliveries(db)).toContain(delivery.id);
    expect(await statusOf(db, delivery)).toBe('unknown: sent unknown failed');
    expect(await settleAttempt(db, attempt, 'sent', recipients('sent'))).toBe(false);
  });

  it('at every attempt ends the delivery as failed', async () => {
    const delivery = await newDelivery(db);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await endUndeliverableEmails(db, [delivery.id], 3)).not.toContain(delivery.id);
      await claimedDelivery(db, delivery.id, 0);
    }
    expect(await endUndeliverableEmails(db, [delivery.id], 3)).toContain(delivery.id);
    expect(await statusOf(db, delivery)).toBe('failed: failed failed failed');
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
  });
});

describe('a resend', () => {
  it('reaches only recipients that certainly did not get it, with new attempts and the same Message-ID', async () => {
    const { id, resend } = await attempted('unknown', recipients('sent', 'unknown', 'failed'));
    expect(await resend()).toBe('ok');
    expect(await claimedDelivery(db, id)).toMatchObject({
      attempts: 1,
      messageId: id,
      recipients: recipients('sent', 'pending', 'pending'),
    });
  });

  it('requested concurrently starts once, and is a conflict for other requests until it has ended', async () => {
    const { id, resend } = await attempted('failed', recipients('failed'));
    expect((await together(10, resend)).sort()).toEqual([...Array(9).fill('conflict'), 'ok']);
    expect(await resend()).toBe('conflict');
    await claimedDelivery(db, id);
    expect(await resend()).toBe('conflict');
  });

  it('is rejected when every recipient has the message, and when the document is no longer kept', async () => {
    const sent = await attempted('sent', recipients('sent'));
    expect(await sent.resend()).toBe('conflict');
    const failed = await attempted('failed', recipients('failed'));
    await pool.query(`update generations set expires_at = now() - interval '1 second' where id = $1`, [
      failed.documentId,
    ]);
    expect(await failed.resend()).toBe('not_found');
  });

  it('cannot be completed by the attempt before it', async () => {
    const delivery = await newDelivery(db);
    const stale = await claimedDelivery(db, delivery.id);
    await markTransmitting(db, stale, 0);
    await endLostDeliveries(db);
    await resendDelivery(db, delivery.accountId, delivery.id, undefined);
    expect(await markTransmitting(db, stale, minuteMs)).toBe(false);
    expect(await settleAttempt(db, stale, 'sent', recipients('sent'))).toBe(false);
    expect(await statusOf(db, delivery)).toBe('pending: pending pending pending');
  });
});

describe('an e-mail that is sent again', () => {
  const to = (...addresses: string[]) => ({ to: addresses, cc: [], bcc: [] });
  const limitless = { recipients: 0, messagesPerRecipient: 0 };
  const again = (of: { accountId: string; documentId: string }, options: { max?: number; key?: string } = {}) => {
    const { max, key } = options;
    const limits = max === undefined ? limitless : { recipients: max, messagesPerRecipient: 0 };
    const claim = key === undefined ? undefined : { key, operation: 'again', requestHash: '', ttlSeconds: 60 };
    const delivery = { id: newId('dlv'), documentId: of.documentId, recipients: to('d@example.com', 'e@example.com') };
    return createDelivery(db, of.accountId, delivery, { limits, claim });
  };
  const countOf = async ({ accountId, documentId }: { accountId: string; documentId: string }) =>
    (await listDeliveriesOf(db, accountId, documentId)).length;

  it('names its own recipients, who stay in their headers when it is tried again', async () => {
    const delivery = await newDelivery(db);
    const id = await again(delivery);
    const attempt = await claimedDelivery(db, id);
    expect(attempt).toMatchObject({ messageId: id, email: to('d@example.com', 'e@example.com') });
    const failed = attempt.recipients.map((one) => ({ ...one, status: 'failed' as const, reply: '550' }));
    await settleAttempt(db, attempt, 'failed', failed);
    await resendDelivery(db, delivery.accountId, id, undefined);
    expect(await claimedDelivery(db, id)).toMatchObject({
      email: to('d@example.com', 'e@example.com'),
      recipients: attempt.recipients,
    });
    expect(await statusOf(db, delivery)).toBe('pending: pending pending pending');
  });

  it('is one delivery however often the request is repeated, also at the same time', async () => {
    const delivery = await newDelivery(db);
    const ids = await together(8, () => again(delivery, { key: delivery.id }));
    expect(new Set(ids).size).toBe(1);
    expect(await countOf(delivery)).toBe(2);
  });

  it('counts its recipients, and beyond a limit there is no delivery', async () => {
    const delivery = await newDelivery(db);
    expect(await outcomeOf(again(delivery, { max: 1 }))).toBe('email_limit_exceeded');
    expect(await countOf(delivery)).toBe(1);
    expect(await outcomeOf(again(delivery, { max: 2 }))).toBe('ok');
    expect(await outcomeOf(again(delivery, { max: 3 }))).toBe('email_limit_exceeded');
  });

  it('is refused without a finished document, its e-mail and its file', async () => {
    const account = await newAccount(db, { docs: 9 });
    const email = () => ({ email: emailTo('a@example.com'), isKept: true });
    const outcomes = [];
    for (const documentId of [
      await account.accept(email()),
      await account.produce({ isKept: true }),
      await account.produce({ ...email(), isTest: true }),
      await expired(await account.produce(email())),
      newId('doc'),
    ])
      outcomes.push(await outcomeOf(again({ ...account, documentId })));
    expect(outcomes).toEqual(['conflict', 'conflict', 'conflict', 'not_found', 'not_found']);
  });

  async function expired(documentId: string): Promise<string> {
    await pool.query(`update generations set expires_at = now() - interval '1 second' where id = $1`, [documentId]);
    return documentId;
  }
});
