import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../../../src/shared/db/client.ts';
import { inTransaction } from '../../../../src/shared/db/transaction.ts';
import { claimDelivery } from '../../../../src/shared/domain/deliveries/delivery-attempt.ts';
import { findDelivery } from '../../../../src/shared/domain/deliveries/find-delivery.ts';
import { resendDelivery } from '../../../../src/shared/domain/deliveries/resend-delivery.ts';
import {
  claimDocument,
  claimDocuments,
  createClaimer,
  isClaimLost,
} from '../../../../src/shared/domain/documents/claim-document.ts';
import type { ClaimedDocument } from '../../../../src/shared/domain/documents/document-record.ts';
import {
  abandonDocument,
  cancelDocument,
  failDocument,
  refundDocument,
} from '../../../../src/shared/domain/documents/fail-document.ts';
import { findDocument } from '../../../../src/shared/domain/documents/find-documents.ts';
import { reserveDocuments } from '../../../../src/shared/domain/documents/reserve-documents.ts';
import { settleDocuments } from '../../../../src/shared/domain/documents/settle-documents.ts';
import { createSettler, succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { readUsage } from '../../../../src/shared/domain/usage/read-usage.ts';
import {
  type AccountPlan,
  claimed,
  documentRequest,
  emailTo,
  failOne,
  finishedDocument,
  internalError,
  newAccount,
  outcomeOf,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { newEndpoint } from '../../../support/domain/webhooks.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const other = useDatabase({ poolSize: 10 });
keepRules(pool);

async function accepted({ docs = 3, isMailed = false } = {}) {
  const account = await newAccount(db, { docs });
  const id = await account.accept(isMailed ? { email: emailTo('a@example.com'), isKept: true } : {});
  return { ...account, id };
}

/** The remaining, reserved and settled documents of all allowances, and the ledger. */
async function usage(accountId: string) {
  const { rows } = await pool.query<{ left: number; held: number; settled: number; entries: string | null }>(
    `select sum(docs - docs_held - docs_settled)::int as left, sum(docs_held)::int as held, sum(docs_settled)::int as settled,
        (select string_agg(kind, ' ' order by id) from ledger where account_id = $1) as entries
      from allowances where account_id = $1`,
    [accountId],
  );
  return rows[0];
}

const settledOnce = { left: 2, held: 0, settled: 1, entries: 'reserve settle' };
const releasedOnce = { left: 3, held: 0, settled: 0, entries: 'reserve release' };

describe('the end of an attempt', () => {
  it('settles a reservation once, even when repeated concurrently', async () => {
    const { accountId, id } = await accepted({ isMailed: true });
    const claim = await claimed(db, id);
    const document = finishedDocument(claim);
    expect(await together(20, () => succeedDocument(db, claim, document))).toEqual(Array(20).fill(true));
    expect(await succeedDocument(db, claim, document)).toBe(true);
    expect(await usage(accountId)).toEqual(settledOnce);
  });

  it('is confirmed to a duplicate that waited for it', async () => {
    const { accountId, id } = await accepted();
    const claim = await claimed(db, id);
    const document = finishedDocument(claim);
    const hold = await holdAllowances(pool, accountId);
    const first = succeedDocument(db, claim, document);
    await hold.waiters(1);
    const twin = succeedDocument(db, claim, document);
    await hold.waiters(2);
    await hold.release();
    expect(await Promise.all([first, twin])).toEqual([true, true]);
    expect(await usage(accountId)).toEqual(settledOnce);
  });

  it.each([1, 2])('is decided once by concurrent successes, failures and abandonments (%i)', async () => {
    const { accountId, id } = await accepted();
    const claim = await claimed(db, id);
    const document = finishedDocument(claim);
    await together(30, (index) => {
      if (index % 3 === 0) return succeedDocument(db, claim, document);
      if (index % 3 === 1) return failDocument(db, claim, internalError);
      return abandonDocument(db, { id, attempts: 1 }, internalError);
    });
    const isMade = (await findDocument(db, id))?.status === 'succeeded';
    expect(await usage(accountId)).toEqual(isMade ? settledOnce : releasedOnce);
  });

  it('is final', async () => {
    const { id, accountId } = await accepted();
    const claim = await claimed(db, id);
    await succeedDocument(db, claim, finishedDocument(claim));
    expect(await failDocument(db, claim, internalError)).toBe(false);
    expect(await abandonDocument(db, { id, attempts: 1 }, internalError)).toBe(false);
    expect(await claimDocument(db, id)).toBeUndefined();
    expect(await findDocument(db, id)).toMatchObject({ status: 'succeeded', error: undefined });
    expect(await usage(accountId)).toEqual(settledOnce);
  });

  it('keeps no password, and no recipients if the document failed', async () => {
    const { accept } = await newAccount(db, { docs: 2 });
    const pdfOptions = { password: 'secret', accessible: true };
    const id = await accept({ format: 'pdf', pdfOptions, email: emailTo('a@example.com'), isKept: true });
    const claim = await claimed(db, id);
    expect(claim.pdfOptions).toEqual(pdfOptions);
    await failDocument(db, claim, internalError);
    const { rows } = await pool.query('select pdf_options, email from generations where id = $1', [id]);
    expect(rows).toEqual([{ pdf_options: { accessible: true }, email: null }]);
  });

  it.each(['succeeds', 'fails'])('keeps no password of a .docx that %s', async (end) => {
    const { accept } = await newAccount(db, { docs: 1 });
    const protection = { mode: 'readOnly', password: 'secret' } as const;
    const id = await accept({ renderOptions: { locale: 'de', docx: { protection } } });
    const claim = await claimed(db, id);
    expect(claim.renderOptions?.docx?.protection).toEqual(protection);
    if (end === 'fails') await failDocument(db, claim, internalError);
    else await succeedDocument(db, claim, finishedDocument(claim));
    const { rows } = await pool.query('select render_options from generations where id = $1', [id]);
    expect(rows).toEqual([{ render_options: { locale: 'de', docx: { protection: { mode: 'readOnly' } } } }]);
  });

  it.each([1, 2])('that fails frees its quota for only one of many concurrent requests (%i)', async () => {
    const account = await accepted({ docs: 1 });
    const accept = () => outcomeOf(account.accept());
    expect(await accept()).toBe('quota_exceeded');
    const [outcomes] = await Promise.all([together(20, accept), failOne(db, account.id)]);
    const taken = tally(outcomes).ok ?? 0;
    expect(taken).toBeLessThanOrEqual(1);
    expect(await account.docsLeft()).toBe(1 - taken);
    expect(await accept()).toBe(taken === 0 ? 'ok' : 'quota_exceeded');
  });
});

describe('a stale attempt', () => {
  it('changes nothing once another attempt has started', async () => {
    const { accountId, id } = await accepted({ isMailed: true });
    const stale = await claimed(db, id);
    const current = await claimed(db, id);
    expect([stale.attempts, current.attempts]).toEqual([1, 2]);
    expect(await succeedDocument(db, stale, finishedDocument(stale))).toBe(false);
    expect(await failDocument(db, stale, internalError)).toBe(false);
    expect(await findDocument(db, id)).toMatchObject({ status: 'running', result: undefined });
    expect(await usage(accountId)).toEqual({ left: 2, held: 1, settled: 0, entries: 'reserve' });
    const document = finishedDocument(current);
    expect(await succeedDocument(db, current, document)).toBe(true);
    expect(await succeedDocument(db, stale, finishedDocument(stale))).toBe(false);
    expect((await findDocument(db, id))?.result?.key).toBe(document.result.key);
  });

  it('does not make the sweep abandon a document with a newer attempt', async () => {
    const { accountId, id } = await accepted();
    const claim = await claimed(db, id);
    expect(await abandonDocument(db, { id, attempts: 0 }, internalError)).toBe(false);
    expect(await abandonDocument(db, { id, attempts: 1 }, internalError)).toBe(true);
    expect(await succeedDocument(db, claim, finishedDocument(claim))).toBe(false);
    expect(await usage(accountId)).toEqual(releasedOnce);
  });

  it('is every one of 20 parallel claims but the last', async () => {
    const { accountId, id } = await accepted();
    const claims = await together(20, () => claimed(db, id));
    expect(new Set(claims.map((claim) => claim.attempts)).size).toBe(20);
    const outcomes = await Promise.all(claims.map((claim) => succeedDocument(db, claim, finishedDocument(claim))));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(outcomes[claims.findIndex((claim) => claim.attempts === 20)]).toBe(true);
    expect(await usage(accountId)).toEqual(settledOnce);
  });
});

const [first, second] = [db, other.db].map((one) => ({
  claim: createClaimer(one, 60_000),
  succeed: createSettler(one, 60_000),
})) as [Settling, Settling];
interface Settling {
  readonly claim: ReturnType<typeof createClaimer>;
  readonly succeed: ReturnType<typeof createSettler>;
}
const ofProcess = (index: number) => (index % 2 === 0 ? first : second);

async function newClaims(plan: AccountPlan, count: number, isMailed = false) {
  const account = await newAccount(db, plan);
  const ids = await together(count, () =>
    account.accept(isMailed ? { email: emailTo('a@example.com'), isKept: true } : {}),
  );
  const claims = await Promise.all(ids.map((id, index) => ofProcess(index).claim(id)));
  return { ...account, claims: claims.filter((claim) => claim !== undefined) };
}

const settlementOf = (claim: ClaimedDocument) => ({
  accountId: claim.accountId,
  attempt: claim,
  document: finishedDocument(claim),
});

describe('settlements that arrive together', () => {
  it('are settled once each, with their mails and events, even when repeated', async () => {
    const { accountId, claims: unwatched } = await newClaims({ docs: 100 }, 40, true);
    await newEndpoint(db, accountId, 'https://example.com');
    const claims = await Promise.all(unwatched.map(({ id }) => claimed(db, id)));
    const settlements = [...claims, ...claims].map(settlementOf);
    expect(await Promise.all(settlements.map((one, index) => ofProcess(index).succeed(one)))).toEqual(
      Array(80).fill(true),
    );
    expect(await usage(accountId)).toMatchObject({ left: 60, held: 0, settled: 40 });
    const counts = await pool.query(
      `select (select count(*)::int from deliveries where account_id = $1) as mails,
        (select count(*)::int from webhook_events where account_id = $1 and type = 'document.succeeded') as events,
        (select count(*)::int from ledger where account_id = $1 and kind = 'settle') as settled`,
      [accountId],
    );
    expect(counts.rows).toEqual([{ mails: 40, events: 40, settled: 40 }]);
  });

  it.each([1, 2])('of two allowances in two processes do not deadlock (%i)', async () => {
    const { accountId, claims } = await newClaims({ docs: 30, credits: [{ docs: 30 }] }, 60);
    const mixed = claims.map((claim, index) => claims[(index * 37) % 60] ?? claim);
    expect(await Promise.all(mixed.map((claim, index) => ofProcess(index).succeed(settlementOf(claim))))).toEqual(
      Array(60).fill(true),
    );
    expect(await usage(accountId)).toMatchObject({ left: 0, held: 0, settled: 60 });
  });
});

describe('claims that arrive together', () => {
  it('have a token each; of two for one document the later one holds it', async () => {
    const { claims } = await newClaims({ docs: 10 }, 10);
    expect(new Set(claims.map(({ attemptToken }) => attemptToken)).size).toBe(10);
    const [id = '', another = ''] = claims.map((claim) => claim.id);
    const again = await Promise.all([another, id, id, 'doc_none'].map((one) => first.claim(one)));
    expect(again.map((claim) => claim?.attempts)).toEqual([2, 2, 3, undefined]);
    const { rows } = await pool.query('select attempt_token from generations where id = $1', [id]);
    expect(rows).toEqual([{ attempt_token: again[2]?.attemptToken }]);
  });

  it('that a database crash rolled back are recognized as lost, and others are not', async () => {
    const { claims } = await newClaims({ docs: 3 }, 3);
    const [, lost, ended] = claims as [ClaimedDocument, ClaimedDocument, ClaimedDocument];
    await pool.query(
      `update generations set status = 'queued', attempts = 0, attempt_token = null, started_at = null where id = $1`,
      [lost.id],
    );
    await first.succeed(settlementOf(ended));
    expect(await first.succeed(settlementOf(lost))).toBe(false);
    expect(await Promise.all(claims.map((claim) => isClaimLost(db, claim)))).toEqual([false, true, false]);
    expect(await first.succeed(settlementOf(await claimed(db, lost.id)))).toBe(true);
  });
});

it('acceptances and settlements wait for the disk, claims do not', async () => {
  const isDurable = (work: (tx: Transaction) => Promise<unknown>): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      await work(tx);
      const { rows } = await tx.$client.query(`select current_setting('synchronous_commit') as setting`);
      return rows[0].setting === 'on';
    });
  const { accountId, templateId } = await newAccount(db, { docs: 100 });
  const request = documentRequest(templateId);
  expect(await isDurable((tx) => reserveDocuments(tx, [{ accountId, request }]))).toBe(true);
  expect(await isDurable((tx) => claimDocuments(tx, [request.id]))).toBe(false);
  const claim = await claimed(db, request.id);
  expect(await isDurable((tx) => succeedDocument(tx, claim, finishedDocument(claim)))).toBe(true);
});

describe('documents of a test key', () => {
  const ofTest = { keyId: 'key_test', isTest: true };

  it('need no quota or month, move no units and leave no ledger entry, however they end', async () => {
    const { accountId, accept, produce } = await newAccount(db, { docs: 0 });
    expect(await outcomeOf(accept())).toBe('quota_exceeded');
    expect(await outcomeOf(accept({ ...ofTest, templateId: `tpl_${'0'.repeat(26)}` }))).toBe('not_found');
    await accept(ofTest, new Date('2090-01-01'));
    const done = await claimed(db, await accept(ofTest));
    expect(done.isTest).toBe(true);
    expect(await succeedDocument(db, done, finishedDocument(done))).toBe(true);
    expect(await failDocument(db, await claimed(db, await accept(ofTest)), internalError)).toBe(true);
    expect(await cancelDocument(db, accountId, await accept(ofTest))).toBe(true);
    expect(await refundDocument(db, await produce(ofTest))).toBe(true);
    expect((await usage(accountId))?.entries).toBeNull();
    const period = { from: new Date('2026-01-01'), to: new Date('2100-01-01'), limit: 100, groupBy: 'day' } as const;
    expect((await readUsage(db, { accountId, ...period })).totals.documents).toBe(0);
  });

  it('have webhooks that are marked; those of other documents are not', async () => {
    const { accountId, accept, produce } = await newAccount(db, { docs: 5 });
    await newEndpoint(db, accountId, 'http://127.0.0.1:9/hook', ['document.succeeded', 'document.failed']);
    const [made, live, failed] = [await produce(ofTest), await produce(), await accept(ofTest)];
    await failOne(db, failed);
    const { rows } = await pool.query(
      `select data ->> 'id' as id, data -> 'test' as test from webhook_events where account_id = $1`,
      [accountId],
    );
    const marks = Object.fromEntries(rows.map(({ id, test }) => [id, test]));
    expect(marks).toEqual({ [made]: true, [live]: null, [failed]: true });
  });

  it('that settle together with live ones are not charged, and their e-mails are recorded and not sent', async () => {
    const { accountId, accept, docsLeft } = await newAccount(db, { docs: 5 });
    await newEndpoint(db, accountId, 'http://127.0.0.1:9/hook', ['email.failed']);
    const [testEmail, liveEmail] = [{ ...emailTo('a@example.com'), cc: ['b@example.com'] }, emailTo('a@example.com')];
    const ids = [
      await accept({ ...ofTest, email: testEmail, isKept: true }),
      await accept({ email: liveEmail, isKept: true }),
      await accept(ofTest),
      await accept(),
    ];
    const claims = await Promise.all(ids.map((id) => claimed(db, id)));
    expect(await settleDocuments(db, claims.map(settlementOf))).toHaveLength(4);
    expect(await docsLeft()).toBe(3);
    expect(await findDelivery(db, accountId, testEmail.deliveryId)).toMatchObject({
      status: 'skipped',
      attempts: 0,
      recipients: ['a', 'b'].map((name) => ({ address: `${name}@example.com`, status: 'skipped' })),
      lastReply: 'not sent: the document was requested with a test key',
      finishedAt: expect.any(Date),
    });
    const live = await findDelivery(db, accountId, liveEmail.deliveryId);
    expect(live).toMatchObject({ status: 'pending', finishedAt: undefined });
    expect(await claimDelivery(db, testEmail.deliveryId, 60_000)).toBeUndefined();
    expect(await outcomeOf(resendDelivery(db, accountId, testEmail.deliveryId, undefined))).toBe('conflict');
    const events = await pool.query('select 1 from webhook_events where account_id = $1', [accountId]);
    expect(events.rows).toEqual([]);
  });
});
