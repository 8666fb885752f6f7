import { describe, expect, it } from 'vitest';
import { type ClaimedDelivery, claimDelivery } from '../../../src/shared/domain/deliveries/claim-delivery.ts';
import type { RecipientResult } from '../../../src/shared/domain/deliveries/delivery-record.ts';
import { findDelivery } from '../../../src/shared/domain/deliveries/find-delivery.ts';
import { markTransmitting } from '../../../src/shared/domain/deliveries/mark-transmitting.ts';
import { renewLease } from '../../../src/shared/domain/deliveries/renew-lease.ts';
import { resendDelivery } from '../../../src/shared/domain/deliveries/resend-delivery.ts';
import { settleDelivery } from '../../../src/shared/domain/deliveries/settle-delivery.ts';
import {
  endHopelessDeliveries,
  endLostDeliveries,
  findDueDeliveries,
} from '../../../src/shared/domain/deliveries/sweep-deliveries.ts';
import { acceptGeneration } from '../../../src/shared/domain/generations/accept-generation.ts';
import { failGeneration } from '../../../src/shared/domain/generations/fail-generation.ts';
import { succeedGeneration } from '../../../src/shared/domain/generations/succeed-generation.ts';
import { newId } from '../../../src/shared/ids.ts';
import { claimed, documentRequest, finishedDocument, newAccount, outcomeOf, together } from '../../support/accounts.ts';
import { useDatabase } from '../../support/database.ts';
import { violations } from '../../support/invariants.ts';

const { db, pool } = useDatabase();
const minuteMs = 60_000;

interface Mailed {
  readonly accountId: string;
  readonly documentId: string;
  readonly id: string;
}

/** A document that was made and is to be mailed to a, b and c. */
async function mailed(): Promise<Mailed> {
  const { accountId, templateId } = await newAccount(db, { docs: 2 });
  const id = newId('dlv');
  const email = {
    deliveryId: id,
    to: ['a@example.com'],
    cc: ['b@example.com'],
    bcc: ['c@example.com'],
    subject: null,
    body: null,
  };
  const request = documentRequest(templateId, { email, isKept: true });
  await acceptGeneration(db, accountId, request);
  const claim = await claimed(db, request.id);
  await succeedGeneration(db, claim, finishedDocument(claim));
  return { accountId, documentId: request.id, id };
}

async function taken(id: string, leaseMs = minuteMs): Promise<ClaimedDelivery> {
  const delivery = await claimDelivery(db, id, leaseMs);
  if (delivery === undefined) throw new Error(`the delivery cannot be claimed: ${id}`);
  return delivery;
}

const recipients = (a: RecipientResult['status'], b = a, c = a): RecipientResult[] =>
  [a, b, c].map((status, index) => ({ address: `${'abc'[index]}@example.com`, status }));

function settle(
  attempt: ClaimedDelivery,
  status: 'pending' | 'sent' | 'partial' | 'failed' | 'unknown',
  told: RecipientResult[],
  retryInMs = 0,
) {
  return settleDelivery(db, attempt, { status, recipients: told, reply: '250 OK', retryInMs });
}

const statusOf = async ({ accountId, id }: Mailed) => {
  const { status, recipients: told } = await findDelivery(db, accountId, id);
  return `${status}: ${told.map((recipient) => recipient.status).join(' ')}`;
};

describe('the outbox', () => {
  it('has a delivery from the moment the document is settled, not before', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 2 });
    const id = newId('dlv');
    const email = { deliveryId: id, to: ['a@example.com'], cc: [], bcc: [], subject: 'Yours', body: null };
    const request = documentRequest(templateId, { email, isKept: true });
    await acceptGeneration(db, accountId, request);
    const claim = await claimed(db, request.id);
    expect(await outcomeOf(findDelivery(db, accountId, id))).toBe('not_found');
    await succeedGeneration(db, claim, finishedDocument(claim));
    const attempt = await taken(id);
    expect(attempt).toMatchObject({ messageId: id, attempts: 1, filename: 'Letter.docx', email: { subject: 'Yours' } });
    expect(attempt.result).toMatchObject({ store: 'object', sizeBytes: 2_048 });
  });

  it('has none for a document that failed', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 2 });
    const id = newId('dlv');
    const email = { deliveryId: id, to: ['a@example.com'], cc: [], bcc: [], subject: null, body: null };
    const request = documentRequest(templateId, { email, isKept: true });
    await acceptGeneration(db, accountId, request);
    await failGeneration(db, await claimed(db, request.id), { code: 'data_invalid', message: 'A value is missing' });
    expect(await outcomeOf(findDelivery(db, accountId, id))).toBe('not_found');
    expect(await violations(pool)).toEqual([]);
  });

  it('is not shown to another account', async () => {
    const delivery = await mailed();
    const stranger = await newAccount(db, { docs: 1 });
    expect(await outcomeOf(findDelivery(db, stranger.accountId, delivery.id))).toBe('not_found');
    expect(await outcomeOf(resendDelivery(db, stranger.accountId, delivery.id))).toBe('not_found');
  });
});

describe('an attempt at a delivery', () => {
  it('is given to one of many', async () => {
    const { id } = await mailed();
    const claims = await together(20, () => claimDelivery(db, id, minuteMs));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  it('ends the delivery once', async () => {
    const delivery = await mailed();
    const attempt = await taken(delivery.id);
    expect(await markTransmitting(db, attempt, minuteMs)).toBe(true);
    expect(await settle(attempt, 'partial', recipients('sent', 'failed', 'sent'))).toBe(true);
    expect(await settle(attempt, 'failed', recipients('failed'))).toBe(false);
    expect(await statusOf(delivery)).toBe('partial: sent failed sent');
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
    expect(await violations(pool)).toEqual([]);
  });

  it('that is put off is not due before its time', async () => {
    const delivery = await mailed();
    await settle(await taken(delivery.id), 'pending', recipients('sent', 'deferred', 'deferred'), minuteMs);
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
    expect(await findDueDeliveries(db, 10_000)).not.toContain(delivery.id);
    const { nextAttemptAt } = await findDelivery(db, delivery.accountId, delivery.id);
    expect(Math.abs((nextAttemptAt?.getTime() ?? 0) - Date.now() - minuteMs)).toBeLessThan(10_000);
  });

  it('that is put off until now is due at once, for those who are open', async () => {
    const delivery = await mailed();
    await settle(await taken(delivery.id), 'pending', recipients('sent', 'deferred', 'deferred'));
    expect(await findDueDeliveries(db, 10_000)).toContain(delivery.id);
    const again = await taken(delivery.id);
    expect(again.attempts).toBe(2);
    expect(again.recipients).toEqual(recipients('sent', 'deferred', 'deferred'));
  });

  it('keeps its lease for as long as it is renewed', async () => {
    const { id } = await mailed();
    const attempt = await taken(id);
    expect(await renewLease(db, attempt, minuteMs)).toBe(true);
    expect(await claimDelivery(db, id, minuteMs)).toBeUndefined();
    await renewLease(db, attempt, 0);
    expect(await renewLease(db, attempt, minuteMs)).toBe(false);
    expect(await claimDelivery(db, id, minuteMs)).toBeDefined();
  });
});

describe('a worker that is lost', () => {
  it('before the final dot leaves the delivery to the next, and can complete nothing when it comes back', async () => {
    const delivery = await mailed();
    const lost = await taken(delivery.id, 0);
    expect(await findDueDeliveries(db, 10_000)).toContain(delivery.id);
    const next = await taken(delivery.id);
    expect(await markTransmitting(db, lost, minuteMs)).toBe(false);
    expect(await settle(lost, 'sent', recipients('sent'))).toBe(false);
    expect(await markTransmitting(db, next, minuteMs)).toBe(true);
    expect(await settle(next, 'sent', recipients('sent'))).toBe(true);
    expect(await statusOf(delivery)).toBe('sent: sent sent sent');
  });

  it('before the final dot may not complete the message once its lease is over, though nobody took it', async () => {
    const { id } = await mailed();
    expect(await markTransmitting(db, await taken(id, 0), minuteMs)).toBe(false);
  });

  it('at the final dot leaves a delivery that is unknown, for those who were open', async () => {
    const delivery = await mailed();
    await settle(await taken(delivery.id), 'pending', recipients('sent', 'deferred', 'failed'));
    const attempt = await taken(delivery.id);
    await markTransmitting(db, attempt, 0);
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
    expect(await findDueDeliveries(db, 10_000)).not.toContain(delivery.id);
    expect(await endLostDeliveries(db)).toContain(delivery.id);
    expect(await statusOf(delivery)).toBe('unknown: sent unknown failed');
    expect(await settle(attempt, 'sent', recipients('sent'))).toBe(false);
    expect(await violations(pool)).toEqual([]);
  });

  it('is not presumed lost while its lease runs', async () => {
    const delivery = await mailed();
    await markTransmitting(db, await taken(delivery.id), minuteMs);
    expect(await endLostDeliveries(db)).not.toContain(delivery.id);
    expect(await statusOf(delivery)).toBe('transmitting: pending pending pending');
  });

  it('each time ends the delivery as failed when the attempts are used up', async () => {
    const delivery = await mailed();
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await endHopelessDeliveries(db, 3)).not.toContain(delivery.id);
      await taken(delivery.id, 0);
    }
    expect(await endHopelessDeliveries(db, 3)).toContain(delivery.id);
    expect(await statusOf(delivery)).toBe('failed: failed failed failed');
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
    expect(await violations(pool)).toEqual([]);
  });
});

describe('sending again', () => {
  const ended = async (status: 'sent' | 'partial' | 'failed' | 'unknown', told: RecipientResult[]) => {
    const delivery = await mailed();
    await settle(await taken(delivery.id), status, told);
    return delivery;
  };

  it('reaches only those who have certainly not got it, with a fresh count of attempts and the same Message-ID', async () => {
    const delivery = await ended('unknown', recipients('sent', 'unknown', 'failed'));
    await resendDelivery(db, delivery.accountId, delivery.id);
    const attempt = await taken(delivery.id);
    expect(attempt).toMatchObject({
      attempts: 1,
      messageId: delivery.id,
      recipients: recipients('sent', 'pending', 'pending'),
    });
    expect(await violations(pool)).toEqual([]);
  });

  it('asked for by many at once starts once, and tells the others that it is under way', async () => {
    const delivery = await ended('failed', recipients('failed'));
    const outcomes = await together(10, () => outcomeOf(resendDelivery(db, delivery.accountId, delivery.id)));
    expect(outcomes.sort()).toEqual([...Array(9).fill('conflict'), 'ok']);
  });

  it('is refused when all have it, and while it is under way', async () => {
    const sent = await ended('sent', recipients('sent'));
    expect(await outcomeOf(resendDelivery(db, sent.accountId, sent.id))).toBe('conflict');
    const underWay = await mailed();
    expect(await outcomeOf(resendDelivery(db, underWay.accountId, underWay.id))).toBe('conflict');
    await taken(underWay.id);
    expect(await outcomeOf(resendDelivery(db, underWay.accountId, underWay.id))).toBe('conflict');
  });

  it('is refused when the document is no longer kept', async () => {
    const delivery = await ended('failed', recipients('failed'));
    await pool.query(`update generations set expires_at = now() - interval '1 second' where id = $1`, [
      delivery.documentId,
    ]);
    expect(await outcomeOf(resendDelivery(db, delivery.accountId, delivery.id))).toBe('not_found');
  });

  it('cannot be completed by the attempt before it', async () => {
    const delivery = await mailed();
    const stale = await taken(delivery.id);
    await markTransmitting(db, stale, 0);
    await endLostDeliveries(db);
    await resendDelivery(db, delivery.accountId, delivery.id);
    expect(await markTransmitting(db, stale, minuteMs)).toBe(false);
    expect(await settle(stale, 'sent', recipients('sent'))).toBe(false);
    expect(await statusOf(delivery)).toBe('pending: pending pending pending');
  });
});
