import { describe, expect, it } from 'vitest';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { claimGeneration } from '../../../../src/shared/domain/generations/claim-generation.ts';
import { abandonGeneration, failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { findGeneration } from '../../../../src/shared/domain/generations/find-generations.ts';
import type { EmailRequest } from '../../../../src/shared/domain/generations/generation-record.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { type Quotas, readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  claimed,
  documentRequest,
  finishedDocument,
  newAccount,
  outcomeOf,
  type TestAccount,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { violations } from '../../../support/domain/invariants.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const fault = { code: 'conversion_failed', message: 'The document could not be converted' } as const;

async function accepted(changes: { docs?: number; email?: EmailRequest } = {}): Promise<TestAccount & { id: string }> {
  const account = await newAccount(db, { docs: changes.docs ?? 3 });
  const email = changes.email ?? null;
  const request = documentRequest(account.templateId, { email, isKept: email !== null });
  await acceptGeneration(db, account.accountId, request);
  return { ...account, id: request.id };
}

async function usage(
  accountId: string,
): Promise<{ left: Quotas['remaining']['total']['docs']; held: number; settled: number; entries: string }> {
  const { rows } = await pool.query<{ held: number; settled: number; entries: string }>(
    `select sum(docs_held)::int as held, sum(docs_settled)::int as settled,
        (select string_agg(kind, ' ' order by id) from ledger where account_id = $1) as entries
      from allowances where account_id = $1`,
    [accountId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the account has no allowance');
  return { left: (await readQuotas(db, accountId)).remaining.total.docs, ...row };
}

const toOne: EmailRequest = { deliveryId: 'none', to: ['a@example.com'], cc: [], bcc: [], subject: null, body: null };
const emailToOne = (): EmailRequest => ({ ...toOne, deliveryId: newId('dlv') });

describe('the end of an attempt', () => {
  it('settles a reservation once, even when repeated concurrently', async () => {
    const { accountId, id } = await accepted({ email: emailToOne() });
    const claim = await claimed(db, id);
    const document = finishedDocument(claim);
    expect(await together(20, () => succeedGeneration(db, claim, document))).toEqual(Array(20).fill(true));
    expect(await succeedGeneration(db, claim, document)).toBe(true);
    expect(await usage(accountId)).toEqual({ left: 2, held: 0, settled: 1, entries: 'reserve settle' });
    expect(await violations(pool)).toEqual([]);
  });

  it('is confirmed to a duplicate that waited for it', async () => {
    const { accountId, id } = await accepted();
    const claim = await claimed(db, id);
    const document = finishedDocument(claim);
    const hold = await holdAllowances(pool, accountId);
    const first = succeedGeneration(db, claim, document);
    await hold.waiters(1);
    const twin = succeedGeneration(db, claim, document);
    await hold.waiters(2);
    await hold.release();
    expect(await Promise.all([first, twin])).toEqual([true, true]);
    expect(await usage(accountId)).toEqual({ left: 2, held: 0, settled: 1, entries: 'reserve settle' });
  });

  it('releases a reservation once, even when repeated concurrently', async () => {
    const { accountId, id } = await accepted();
    const claim = await claimed(db, id);
    const outcomes = await together(20, () => failGeneration(db, claim, fault));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await usage(accountId)).toEqual({ left: 3, held: 0, settled: 0, entries: 'reserve release' });
  });

  it.each(Array.from({ length: 10 }, (_, round) => round))(
    'is decided once by concurrent successes, failures and abandonments (%i)',
    async () => {
      const { accountId, id } = await accepted();
      const claim = await claimed(db, id);
      const document = finishedDocument(claim);
      await together(30, (index) => {
        if (index % 3 === 0) return succeedGeneration(db, claim, document);
        if (index % 3 === 1) return failGeneration(db, claim, fault);
        return abandonGeneration(db, { id, attempts: 1 }, fault);
      });
      const row = await findGeneration(db, id);
      const isMade = row?.status === 'succeeded';
      expect(await usage(accountId)).toEqual(
        isMade
          ? { left: 2, held: 0, settled: 1, entries: 'reserve settle' }
          : { left: 3, held: 0, settled: 0, entries: 'reserve release' },
      );
    },
  );

  it('is final', async () => {
    const { id, accountId } = await accepted();
    const claim = await claimed(db, id);
    await succeedGeneration(db, claim, finishedDocument(claim));
    expect(await failGeneration(db, claim, fault)).toBe(false);
    expect(await abandonGeneration(db, { id, attempts: 1 }, fault)).toBe(false);
    expect(await claimGeneration(db, id)).toBeUndefined();
    expect(await findGeneration(db, id)).toMatchObject({ status: 'succeeded', error: undefined });
    expect((await usage(accountId)).settled).toBe(1);
  });

  it('keeps no password, and of a failed document no recipients', async () => {
    const account = await newAccount(db, { docs: 2 });
    const request = documentRequest(account.templateId, {
      format: 'pdf',
      pdfOptions: { password: 'secret', accessible: true },
      email: emailToOne(),
      isKept: true,
    });
    await acceptGeneration(db, account.accountId, request);
    const claim = await claimed(db, request.id);
    expect(claim.pdfOptions).toEqual({ password: 'secret', accessible: true });
    await failGeneration(db, claim, fault);
    const { rows } = await pool.query('select pdf_options, email from generations where id = $1', [request.id]);
    expect(rows).toEqual([{ pdf_options: { accessible: true }, email: null }]);
  });
});

describe('a stale attempt', () => {
  it('changes nothing once another attempt has started', async () => {
    const { accountId, id } = await accepted({ email: emailToOne() });
    const stale = await claimed(db, id);
    const current = await claimed(db, id);
    expect([stale.attempts, current.attempts]).toEqual([1, 2]);
    expect(await succeedGeneration(db, stale, finishedDocument(stale))).toBe(false);
    expect(await failGeneration(db, stale, fault)).toBe(false);
    expect(await findGeneration(db, id)).toMatchObject({ status: 'running', result: undefined });
    expect(await usage(accountId)).toEqual({ left: 2, held: 1, settled: 0, entries: 'reserve' });
    const document = finishedDocument(current);
    expect(await succeedGeneration(db, current, document)).toBe(true);
    expect(await succeedGeneration(db, stale, finishedDocument(stale))).toBe(false);
    expect((await findGeneration(db, id))?.result?.key).toBe(document.result.key);
    expect(await violations(pool)).toEqual([]);
  });

  it('does not make the sweep abandon a document with a newer attempt', async () => {
    const { accountId, id } = await accepted();
    const seen = { id, attempts: 0 };
    const claim = await claimed(db, id);
    expect(await abandonGeneration(db, seen, fault)).toBe(false);
    expect(await abandonGeneration(db, { id, attempts: 1 }, fault)).toBe(true);
    expect(await succeedGeneration(db, claim, finishedDocument(claim))).toBe(false);
    expect(await usage(accountId)).toEqual({ left: 3, held: 0, settled: 0, entries: 'reserve release' });
  });

  it('of 20 parallel claims is the only one that can finish', async () => {
    const { accountId, id } = await accepted();
    const claims = await together(20, () => claimed(db, id));
    expect(new Set(claims.map((claim) => claim.attempts)).size).toBe(20);
    const outcomes = await Promise.all(claims.map((claim) => succeedGeneration(db, claim, finishedDocument(claim))));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(outcomes[claims.findIndex((claim) => claim.attempts === 20)]).toBe(true);
    expect((await usage(accountId)).entries).toBe('reserve settle');
  });
});

describe('a refunded document', () => {
  it.each(Array.from({ length: 10 }, (_, round) => round))(
    'frees its quota for only one of many concurrent requests (%i)',
    async () => {
      const account = await accepted({ docs: 1 });
      const claim = await claimed(db, account.id);
      const [outcomes] = await Promise.all([
        together(20, () => outcomeOf(acceptGeneration(db, account.accountId, documentRequest(account.templateId)))),
        failGeneration(db, claim, fault),
      ]);
      const acceptedCount = tally(outcomes).ok ?? 0;
      expect(acceptedCount).toBeLessThanOrEqual(1);
      expect((await usage(account.accountId)).left).toBe(1 - acceptedCount);
      expect(await violations(pool)).toEqual([]);
    },
  );

  it('frees its quota immediately', async () => {
    const account = await accepted({ docs: 1 });
    const accept = () => outcomeOf(acceptGeneration(db, account.accountId, documentRequest(account.templateId)));
    expect(await accept()).toBe('quota_exceeded');
    await failGeneration(db, await claimed(db, account.id), fault);
    expect(await accept()).toBe('ok');
  });
});
