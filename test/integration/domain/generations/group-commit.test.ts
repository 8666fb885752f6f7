import { afterAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../../../src/shared/db/client.ts';
import { inTransaction } from '../../../../src/shared/db/transaction.ts';
import { createAcceptor } from '../../../../src/shared/domain/generations/accept-generation.ts';
import {
  claimGenerations,
  createClaimer,
  isClaimLost,
} from '../../../../src/shared/domain/generations/claim-generation.ts';
import type { ClaimedGeneration } from '../../../../src/shared/domain/generations/generation-record.ts';
import { reserveDocuments } from '../../../../src/shared/domain/generations/reserve-documents.ts';
import { settleDocuments } from '../../../../src/shared/domain/generations/settle-documents.ts';
import { createSettler, succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { newId } from '../../../../src/shared/ids.ts';
import {
  type AccountPlan,
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
const other = useDatabase({ poolSize: 10 });
const processes = [
  { accept: createAcceptor(db, 20_000), claim: createClaimer(db, 20_000), succeed: createSettler(db, 20_000) },
  {
    accept: createAcceptor(other.db, 20_000),
    claim: createClaimer(other.db, 20_000),
    succeed: createSettler(other.db, 20_000),
  },
] as const;
const [first] = processes;
const ofProcess = (index: number) => processes[index % 2] ?? first;

afterAll(async () => {
  expect(await violations(pool)).toEqual([]);
});

/** The reserved, settled and remaining documents of the account's allowances, in order of use. */
async function allowancesOf(accountId: string) {
  const { rows } = await pool.query<{ held: number; settled: number; left: number }>(
    `select docs_held as held, docs_settled as settled, docs - docs_held - docs_settled as left
      from allowances where account_id = $1 order by kind desc`,
    [accountId],
  );
  return rows;
}

async function newClaims(plan: AccountPlan, count: number, isMailed = false) {
  const account = await newAccount(db, plan);
  const requests = Array.from({ length: count }, () => {
    const email = { deliveryId: newId('dlv'), to: ['a@example.com'], cc: [], bcc: [], subject: null, body: null };
    return documentRequest(account.templateId, isMailed ? { email, isKept: true } : {});
  });
  await Promise.all(requests.map((request, index) => ofProcess(index).accept(account.accountId, request)));
  const claims = await Promise.all(requests.map(({ id }, index) => ofProcess(index).claim(id)));
  return { account, claims: claims.filter((claim) => claim !== undefined) };
}

const settlementOf = (claim: ClaimedGeneration) => ({
  accountId: claim.accountId,
  attempt: claim,
  document: finishedDocument(claim),
});

describe('requests that arrive together', () => {
  it.each([1, 2, 3])('get exactly what is left, over two processes (%i)', async () => {
    const account = await newAccount(db, { docs: 25 });
    const order = (index: number) =>
      outcomeOf(ofProcess(index).accept(account.accountId, documentRequest(account.templateId)));
    expect(tally(await together(80, order))).toEqual({ ok: 25, quota_exceeded: 55 });
    expect(await allowancesOf(account.accountId)).toEqual([{ held: 25, settled: 0, left: 0 }]);
  });

  it('use up the month before the credits', async () => {
    const account = await newAccount(db, { docs: 7, credits: [{ docs: 50 }] });
    const order = () => outcomeOf(first.accept(account.accountId, documentRequest(account.templateId)));
    expect(tally(await together(30, order))).toEqual({ ok: 30 });
    expect(await allowancesOf(account.accountId)).toEqual([
      { held: 7, settled: 0, left: 0 },
      { held: 23, settled: 0, left: 27 },
    ]);
  });

  it('are rejected individually: an unknown template or version affects no other request', async () => {
    const account = await newAccount(db, { docs: 100 });
    const requests = Array.from({ length: 30 }, (_, index) =>
      documentRequest(index % 3 === 1 ? 'tpl_none' : account.templateId, index % 3 === 2 ? { version: 9 } : {}),
    );
    const outcomes = await Promise.all(requests.map((request) => outcomeOf(first.accept(account.accountId, request))));
    expect(outcomes).toEqual(requests.map((_, index) => (index % 3 === 0 ? 'ok' : 'not_found')));
    expect(await allowancesOf(account.accountId)).toEqual([{ held: 10, settled: 0, left: 90 }]);
  });

  it('keep their own options', async () => {
    const account = await newAccount(db, { docs: 100 });
    const requests = Array.from({ length: 12 }, (_, index) =>
      documentRequest(account.templateId, {
        filename: index % 2 === 0 ? null : `"${index}", {ä}\\.docx`,
        format: index % 3 === 0 ? 'pdf' : 'docx',
        pdfOptions: index % 3 === 0 ? { pages: `${index}` } : null,
        renderOptions: index % 4 === 0 ? { locale: 'de' } : null,
        callbackUrl: index % 5 === 0 ? `https://example.com/${index}` : undefined,
      }),
    );
    const outcomes = await Promise.all(requests.map((request) => first.accept(account.accountId, request)));
    const { rows } = await pool.query(
      `select id, filename, format, pdf_options as "pdfOptions", render_options as "renderOptions", callback_url as "callbackUrl",
          data_checksum as "dataChecksum" from generations where account_id = $1 order by id`,
      [account.accountId],
    );
    const expected = requests.map(({ id, format, dataChecksum, pdfOptions, renderOptions, callbackUrl, filename }) => ({
      id,
      format,
      dataChecksum,
      pdfOptions,
      renderOptions,
      callbackUrl: callbackUrl ?? null,
      filename: filename ?? `Letter.${format}`,
    }));
    expect(rows).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
    expect(new Map(outcomes.map(({ id, filename }) => [id, filename]))).toEqual(
      new Map(expected.map(({ id, filename }) => [id, filename])),
    );
  });

  it('reserve all documents of the statement, or none', async () => {
    const account = await newAccount(db, { docs: 5 });
    const requests = Array.from({ length: 6 }, () => documentRequest(account.templateId));
    const rows = await reserveDocuments(db, { accountId: account.accountId, keyId: undefined }, requests);
    expect(rows.map((row) => row.is_held)).toEqual(Array(6).fill(false));
    expect(await allowancesOf(account.accountId)).toEqual([{ held: 0, settled: 0, left: 5 }]);
  });
});

describe('settlements that arrive together', () => {
  it('are settled once each, with their mails and events, even when repeated', async () => {
    const { account, claims: unwatched } = await newClaims({ docs: 100 }, 40, true);
    await newEndpoint(db, account.accountId, 'https://example.com');
    const claims = (await Promise.all(unwatched.map(({ id }) => first.claim(id)))).filter(
      (claim) => claim !== undefined,
    );
    const settlements = [...claims, ...claims].map(settlementOf);
    expect(
      await together(80, (index) => ofProcess(index).succeed(settlements[index] ?? settlementOf({} as never))),
    ).toEqual(Array(80).fill(true));
    expect(await allowancesOf(account.accountId)).toEqual([{ held: 0, settled: 40, left: 60 }]);
    const counts = await pool.query(
      `select (select count(*)::int from deliveries where account_id = $1) as mails,
        (select count(*)::int from webhook_events where account_id = $1 and type = 'document.succeeded') as events,
        (select count(*)::int from ledger where account_id = $1 and kind = 'settle') as settled`,
      [account.accountId],
    );
    expect(counts.rows).toEqual([{ mails: 40, events: 40, settled: 40 }]);
  });

  it('do not settle fenced attempts', async () => {
    const { account, claims } = await newClaims({ docs: 100 }, 20);
    const stale = claims.filter((_, index) => index % 4 === 0);
    await Promise.all(stale.map(({ id }) => first.claim(id)));
    const outcomes = await Promise.all(claims.map((claim) => first.succeed(settlementOf(claim))));
    expect(outcomes).toEqual(claims.map((_, index) => index % 4 !== 0));
    expect(await allowancesOf(account.accountId)).toEqual([{ held: 5, settled: 15, left: 80 }]);
  });

  it.each([1, 2, 3, 4, 5])('of two allowances in two processes do not deadlock (%i)', async () => {
    const { account, claims } = await newClaims({ docs: 30, credits: [{ docs: 30 }] }, 60);
    const mixed = claims.map((claim, index) => claims[(index * 37) % 60] ?? claim);
    expect(await Promise.all(mixed.map((claim, index) => ofProcess(index).succeed(settlementOf(claim))))).toEqual(
      Array(60).fill(true),
    );
    expect(await allowancesOf(account.accountId)).toEqual([
      { held: 0, settled: 30, left: 0 },
      { held: 0, settled: 30, left: 0 },
    ]);
  });

  it('do not return fenced or settled attempts', async () => {
    const { claims } = await newClaims({ docs: 3 }, 3);
    const [one, two, three] = claims.map(({ accountId: _, ...attempt }) => ({
      attempt,
      document: finishedDocument(attempt as never),
    }));
    if (one === undefined || two === undefined || three === undefined) throw new Error('expected three');
    const fenced = { ...two, attempt: { ...two.attempt, attemptToken: 'another' } };
    expect(await settleDocuments(db, [one, fenced])).toEqual([one.attempt.id]);
    expect(await settleDocuments(db, [one, two, three])).toEqual([two.attempt.id, three.attempt.id]);
  });
});

describe('claims that arrive together', () => {
  it('have a token each; of two for one document the later one holds it', async () => {
    const { claims } = await newClaims({ docs: 10 }, 10);
    expect(new Set(claims.map(({ attemptToken }) => attemptToken)).size).toBe(10);
    const id = claims[0]?.id ?? '';
    const again = await Promise.all([
      first.claim(claims[1]?.id ?? ''),
      first.claim(id),
      first.claim(id),
      first.claim('doc_none'),
    ]);
    expect(again.map((claim) => claim?.attempts)).toEqual([2, 2, 3, undefined]);
    const { rows } = await pool.query('select attempt_token from generations where id = $1', [id]);
    expect(rows).toEqual([{ attempt_token: again[2]?.attemptToken }]);
  });

  it('that a database crash rolled back are recognized as lost, and others are not', async () => {
    const { claims } = await newClaims({ docs: 3 }, 3);
    const [kept, lost, ended] = claims;
    if (kept === undefined || lost === undefined || ended === undefined) throw new Error('expected three');
    await pool.query(
      `update generations set status = 'queued', attempts = 0, attempt_token = null, started_at = null where id = $1`,
      [lost.id],
    );
    await first.succeed(settlementOf(ended));
    expect(await first.succeed(settlementOf(lost))).toBe(false);
    expect(await Promise.all([kept, lost, ended].map((claim) => isClaimLost(db, claim)))).toEqual([false, true, false]);
    const again = await first.claim(lost.id);
    expect(again && (await first.succeed(settlementOf(again)))).toBe(true);
  });
});

describe('a synchronous commit', () => {
  /** Whether the commit of a transaction with this work waits for the disk. */
  async function isDurable(work: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
    return inTransaction(db, async (tx) => {
      await work(tx);
      const { rows } = await tx.$client.query<{ setting: string }>(
        `select current_setting('synchronous_commit') as setting`,
      );
      return rows[0]?.setting === 'on';
    });
  }

  it('is used for acceptances and settlements, but not for claims', async () => {
    const { accountId, templateId } = await newAccount(db, { docs: 100 });
    const request = documentRequest(templateId);
    expect(await isDurable((tx) => reserveDocuments(tx, { accountId, keyId: undefined }, [request]))).toBe(true);
    expect(await isDurable((tx) => claimGenerations(tx, [request.id]))).toBe(false);
    const claim = await first.claim(request.id);
    if (claim === undefined) throw new Error('nothing to claim');
    expect(await isDurable((tx) => succeedGeneration(tx, claim, finishedDocument(claim)))).toBe(true);
  });
});
