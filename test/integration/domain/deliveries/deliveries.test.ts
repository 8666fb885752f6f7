import { describe, expect, it } from 'vitest';
import {
  claimDelivery,
  markTransmitting,
  renewLease,
} from '../../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { findDelivery } from '../../../../src/shared/domain/deliveries/find-delivery.ts';
import { resendDelivery } from '../../../../src/shared/domain/deliveries/resend-delivery.ts';
import {
  endLostDeliveries,
  endUndeliverableEmails,
  findDueDeliveries,
  findLeftDeliveries,
} from '../../../../src/shared/domain/deliveries/sweep-deliveries.ts';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  claimed,
  documentRequest,
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
import { violations } from '../../../support/domain/invariants.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const dueDeliveries = async () => [
  ...(await findDueDeliveries(db, '', 10_000)).ids,
  ...(await findLeftDeliveries(db, 10_000)),
];

describe('the outbox', () => {
  it('has a delivery as soon as the document is settled, not before', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 2 });
    const id = newId('dlv');
    const email = { deliveryId: id, to: ['a@example.com'], cc: [], bcc: [], subject: 'Yours', body: null };
    const request = documentRequest(templateId, { email, isKept: true });
    await acceptGeneration(db, accountId, request);
    const claim = await claimed(db, request.id);
    expect(await outcomeOf(findDelivery(db, accountId, id))).toBe('not_found');
    await succeedGeneration(db, claim, finishedDocument(claim));
    const attempt = await claimedDelivery(db, id);
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
    const delivery = await newDelivery(db);
    const other = await newAccount(db, { docs: 1 });
    expect(await outcomeOf(findDelivery(db, other.accountId, delivery.id))).toBe('not_found');
    expect(await outcomeOf(resendDelivery(db, other.accountId, delivery.id, undefined))).toBe('not_found');
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
    expect(await violations(pool)).toEqual([]);
  });

  it('that is deferred is not due before its time', async () => {
    const delivery = await newDelivery(db);
    await settleAttempt(
      db,
      await claimedDelivery(db, delivery.id),
      'pending',
      recipients('sent', 'deferred', 'deferred'),
      minuteMs,
    );
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
    expect(await dueDeliveries()).not.toContain(delivery.id);
    const { nextAttemptAt } = await findDelivery(db, delivery.accountId, delivery.id);
    expect(Math.abs((nextAttemptAt?.getTime() ?? 0) - Date.now() - minuteMs)).toBeLessThan(10_000);
  });

  it('that is deferred until now is due at once, for the open recipients', async () => {
    const delivery = await newDelivery(db);
    await settleAttempt(
      db,
      await claimedDelivery(db, delivery.id),
      'pending',
      recipients('sent', 'deferred', 'deferred'),
    );
    expect(await dueDeliveries()).toContain(delivery.id);
    const again = await claimedDelivery(db, delivery.id);
    expect(again.attempts).toBe(2);
    expect(again.recipients).toEqual(recipients('sent', 'deferred', 'deferred'));
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
    expect(await dueDeliveries()).toContain(delivery.id);
    const next = await claimedDelivery(db, delivery.id);
    expect(await markTransmitting(db, lost, minuteMs)).toBe(false);
    expect(await settleAttempt(db, lost, 'sent', recipients('sent'))).toBe(false);
    expect(await markTransmitting(db, next, minuteMs)).toBe(true);
    expect(await settleAttempt(db, next, 'sent', recipients('sent'))).toBe(true);
    expect(await statusOf(db, delivery)).toBe('sent: sent sent sent');
  });

  it('before the final dot may not complete the message after its lease, even if no other attempt claimed it', async () => {
    const { id } = await newDelivery(db);
    expect(await markTransmitting(db, await claimedDelivery(db, id, 0), minuteMs)).toBe(false);
  });

  it('at the final dot leaves an unknown outcome for the open recipients', async () => {
    const delivery = await newDelivery(db);
    await settleAttempt(
      db,
      await claimedDelivery(db, delivery.id),
      'pending',
      recipients('sent', 'deferred', 'failed'),
    );
    const attempt = await claimedDelivery(db, delivery.id);
    await markTransmitting(db, attempt, 0);
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
    expect(await dueDeliveries()).not.toContain(delivery.id);
    expect(await endLostDeliveries(db)).toContain(delivery.id);
    expect(await statusOf(db, delivery)).toBe('unknown: sent unknown failed');
    expect(await settleAttempt(db, attempt, 'sent', recipients('sent'))).toBe(false);
    expect(await violations(pool)).toEqual([]);
  });

  it('is not presumed lost while its lease runs', async () => {
    const delivery = await newDelivery(db);
    await markTransmitting(db, await claimedDelivery(db, delivery.id), minuteMs);
    expect(await endLostDeliveries(db)).not.toContain(delivery.id);
    expect(await statusOf(db, delivery)).toBe('transmitting: pending pending pending');
  });

  it('each time ends the delivery as failed when the attempts are used up', async () => {
    const delivery = await newDelivery(db);
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect(await endUndeliverableEmails(db, [delivery.id], 3)).not.toContain(delivery.id);
      await claimedDelivery(db, delivery.id, 0);
    }
    expect(await endUndeliverableEmails(db, [delivery.id], 3)).toContain(delivery.id);
    expect(await statusOf(db, delivery)).toBe('failed: failed failed failed');
    expect(await claimDelivery(db, delivery.id, minuteMs)).toBeUndefined();
    expect(await violations(pool)).toEqual([]);
  });
});
