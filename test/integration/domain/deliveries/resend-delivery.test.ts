import { describe, expect, it } from 'vitest';
import type { RecipientResult } from '../../../../src/shared/db/schema/deliveries.ts';
import { markTransmitting } from '../../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { resendDelivery } from '../../../../src/shared/domain/deliveries/resend-delivery.ts';
import { endLostDeliveries } from '../../../../src/shared/domain/deliveries/sweep-deliveries.ts';
import { outcomeOf, together } from '../../../support/domain/accounts.ts';
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

describe('a resend', () => {
  const ended = async (status: 'sent' | 'partial' | 'failed' | 'unknown', outcomes: RecipientResult[]) => {
    const delivery = await newDelivery(db);
    await settleAttempt(db, await claimedDelivery(db, delivery.id), status, outcomes);
    return delivery;
  };

  it('reaches only recipients that certainly did not get it, with new attempts and the same Message-ID', async () => {
    const delivery = await ended('unknown', recipients('sent', 'unknown', 'failed'));
    await resendDelivery(db, delivery.accountId, delivery.id, undefined);
    const attempt = await claimedDelivery(db, delivery.id);
    expect(attempt).toMatchObject({
      attempts: 1,
      messageId: delivery.id,
      recipients: recipients('sent', 'pending', 'pending'),
    });
    expect(await violations(pool)).toEqual([]);
  });

  it('requested concurrently starts once, and the other requests get a conflict', async () => {
    const delivery = await ended('failed', recipients('failed'));
    const outcomes = await together(10, () =>
      outcomeOf(resendDelivery(db, delivery.accountId, delivery.id, undefined)),
    );
    expect(outcomes.sort()).toEqual([...Array(9).fill('conflict'), 'ok']);
  });

  it('is rejected when every recipient has the message, and while it is in progress', async () => {
    const sent = await ended('sent', recipients('sent'));
    expect(await outcomeOf(resendDelivery(db, sent.accountId, sent.id, undefined))).toBe('conflict');
    const underWay = await newDelivery(db);
    expect(await outcomeOf(resendDelivery(db, underWay.accountId, underWay.id, undefined))).toBe('conflict');
    await claimedDelivery(db, underWay.id);
    expect(await outcomeOf(resendDelivery(db, underWay.accountId, underWay.id, undefined))).toBe('conflict');
  });

  it('is rejected when the document is no longer kept', async () => {
    const delivery = await ended('failed', recipients('failed'));
    await pool.query(`update generations set expires_at = now() - interval '1 second' where id = $1`, [
      delivery.documentId,
    ]);
    expect(await outcomeOf(resendDelivery(db, delivery.accountId, delivery.id, undefined))).toBe('not_found');
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
