import { describe, expect, it } from 'vitest';
import { createAcceptor } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { createOnceAcceptor } from '../../../../src/shared/domain/generations/accept-once.ts';
import { openMonth } from '../../../../src/shared/domain/quota/open-month.ts';
import { claimWebhookDelivery } from '../../../../src/shared/domain/webhooks/claim-webhook-delivery.ts';
import { documentRequest, newAccount, outcomeOf, tally, together } from '../../../support/domain/accounts.ts';
import { makeDocument, newEndpoint } from '../../../support/domain/webhooks.ts';
import { useDatabase } from '../../../support/services/database.ts';

const plentiful = useDatabase();
const small = useDatabase({ poolSize: 6 });
const single = useDatabase({ poolSize: 1, timeoutMs: 300 });
const once = createOnceAcceptor(small.db, 6, 30_000);
const accept = createAcceptor(small.db, 30_000);
const claim = (key: string) => ({ key, operation: 'POST /x', requestHash: 'h', ttlSeconds: 60 });

describe('an account whose allowance is locked', () => {
  it('leaves connections to others, however many requests with idempotency keys it sends', async () => {
    const [held, other] = [
      await newAccount(plentiful.db, { docs: 100 }),
      await newAccount(plentiful.db, { docs: 100 }),
    ];
    const holder = await plentiful.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from allowances where account_id = $1 for update', [held.accountId]);
    const orders = together(40, (index) =>
      outcomeOf(once(held.accountId, documentRequest(held.templateId), claim(`key ${index}`))),
    );
    await expect.poll(() => small.pool.totalCount - small.pool.idleCount).toBeGreaterThan(0);
    for (let order = 0; order < 5; order++) {
      expect(await outcomeOf(accept(other.accountId, documentRequest(other.templateId)))).toBe('ok');
      expect(await outcomeOf(once(other.accountId, documentRequest(other.templateId), claim(`${order}`)))).toBe('ok');
    }
    expect(small.pool.waitingCount).toBe(0);
    await holder.query('rollback');
    holder.release();
    expect(tally(await orders)).toEqual({ ok: 40 });
  });
});

describe('a pool that has no connection left', () => {
  it.each([
    ['a month is opened', (accountId: string) => openMonth(single.db, accountId)],
    ['a webhook is made', (accountId: string) => newEndpoint(single.db, accountId, 'https://example.com')],
  ])('is reported as an outage when %s', async (_what, work) => {
    const { accountId } = await newAccount(plentiful.db, { docs: 1 });
    const busyConnection = await single.pool.connect();
    expect(await outcomeOf(work(accountId))).toBe('unavailable');
    busyConnection.release();
  });
});

describe('an account whose webhooks another worker claims', () => {
  it('leaves connections to others, however many of its jobs run', async () => {
    const [loud, other] = [
      await newAccount(plentiful.db, { docs: 100 }),
      await newAccount(plentiful.db, { docs: 100 }),
    ];
    await newEndpoint(plentiful.db, loud.accountId, 'https://example.com');
    await makeDocument(plentiful.db, loud);
    const holder = await plentiful.pool.connect();
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1, 0))`, [loud.accountId]);
    const limits = { leaseMs: 60_000, perTarget: 4, perAccount: 8 };
    const claims = together(32, () => claimWebhookDelivery(small.db, loud.accountId, limits));
    for (let document = 0; document < 5; document++) await makeDocument(small.db, other);
    expect(new Set(await claims)).toEqual(new Set(['busy']));
    expect(small.pool.totalCount - small.pool.idleCount).toBe(0);
    await holder.query('rollback');
    holder.release();
    expect(await claimWebhookDelivery(small.db, loud.accountId, limits)).toMatchObject({ attempts: 1 });
  });
});
