import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/shared/db/client.ts';
import { acceptDocument, createAcceptor } from '../../../../src/shared/domain/documents/accept-document.ts';
import { reserveDocuments } from '../../../../src/shared/domain/documents/reserve-documents.ts';
import { type Quotas, readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import {
  documentRequest,
  failOne,
  newAccount,
  outcomeOf,
  type TestAccount,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
keepRules(pool);
const pools = [useDatabase({ poolSize: 10 }), useDatabase({ poolSize: 10 }), useDatabase({ poolSize: 10 })];
const processes = [db, ...pools.map((handle) => handle.db)];

function race({ accountId, templateId }: TestAccount, count: number, through: readonly Database[] = [db], at?: Date) {
  return together(count, (index) =>
    outcomeOf(acceptDocument(through[index % through.length] ?? db, accountId, documentRequest(templateId), at)),
  );
}

const inDays = (days: number, from = Date.now()) => new Date(from + days * 86_400_000);

/** The reserved and remaining documents of each allowance, in order of use. */
async function allowancesOf({ accountId }: TestAccount) {
  const { rows } = await pool.query<{ held: number; left: number }>(
    `select docs_held as held, docs - docs_held - docs_settled as left
      from allowances where account_id = $1 order by kind desc, ends_at nulls last`,
    [accountId],
  );
  return rows;
}

/** Reads the quotas repeatedly until the work has finished, and once afterwards. */
async function watchQuotas(accountId: string, work: Promise<unknown>): Promise<Quotas[]> {
  const seen: Quotas[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) seen.push(await readQuotas(db, accountId));
  await over;
  seen.push(await readQuotas(db, accountId));
  return seen;
}

describe('accepting at the limit', () => {
  it.each([40, 100])('gives the 10 documents that are left to 10 of %i parallel requests', async (count) => {
    const account = await newAccount(db, { docs: 10 });
    expect(tally(await race(account, count))).toEqual({ ok: 10, quota_exceeded: count - 10 });
    expect(await account.docsLeft()).toBe(0);
  });

  it.each([1, 2])('holds over four processes (%i)', async () => {
    const account = await newAccount(db, { docs: 10 });
    expect(tally(await race(account, 100, processes))).toEqual({ ok: 10, quota_exceeded: 90 });
  });

  it.each([1, 2])(
    'holds when a subscription and several credits make up what is left, one unit each at the end (%i)',
    async () => {
      const credits = [
        { docs: 1 },
        { docs: 3, expiresAt: inDays(2) },
        { docs: 2, expiresAt: inDays(1) },
        { docs: 1, expiresAt: inDays(2) },
      ];
      const account = await newAccount(db, { docs: 4, credits });
      expect(tally(await race(account, 60, processes))).toEqual({ ok: 11, quota_exceeded: 49 });
    },
  );

  it('holds when concurrent requests find that the month has no row yet', async () => {
    const account = await newAccount(db, { docs: 10 });
    expect(tally(await race(account, 60, processes, inDays(40)))).toEqual({ ok: 10, quota_exceeded: 50 });
  });

  it('refuses an account without any quota, and writes nothing', async () => {
    const account = await newAccount(db, { credits: [{ docs: 0 }] });
    expect(tally(await race(account, 5))).toEqual({ quota_exceeded: 5 });
    const { rows } = await pool.query('select 1 from generations where account_id = $1', [account.accountId]);
    expect(rows).toEqual([]);
  });
});

describe('the order of allowances', () => {
  it('uses the subscription first, then the credits that expire soonest, last those that never do', async () => {
    const at = new Date('2027-03-10T12:00:00Z');
    const expiring = (days: number) => inDays(days, at.getTime());
    const credits = [{ docs: 1 }, { docs: 2, expiresAt: expiring(60) }, { docs: 2, expiresAt: expiring(30) }];
    const account = await newAccount(db, { docs: 2, credits, at });
    const left: string[] = [];
    for (let count = 0; count < 7; count++) {
      await account.accept({}, at);
      left.push((await allowancesOf(account)).map((row) => row.left).join(' '));
    }
    expect(left).toEqual(['1 2 2 1', '0 2 2 1', '0 1 2 1', '0 0 2 1', '0 0 1 1', '0 0 0 1', '0 0 0 0']);
    expect(await outcomeOf(account.accept({}, at))).toBe('quota_exceeded');
  });

  it('does not use credits that have expired or are not valid yet', async () => {
    const at = new Date('2027-03-10T12:00:00Z');
    const account = await newAccount(db, { credits: [{ docs: 5, expiresAt: new Date('2027-03-11T00:00:00Z') }], at });
    const accept = (time: string) => outcomeOf(account.accept({}, new Date(time)));
    expect(await accept('2027-03-10T11:59:59.999Z')).toBe('quota_exceeded');
    expect(await accept('2027-03-10T23:59:59.999Z')).toBe('ok');
    expect(await accept('2027-03-11T00:00:00.000Z')).toBe('quota_exceeded');
  });
});

it('quotas that are read during changes add up at all times and never go below zero', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 25, credits: [{ docs: 10 }, { docs: 5 }] });
  const work = together(60, async (index) => {
    const request = documentRequest(templateId);
    if ((await outcomeOf(acceptDocument(processes[index % 4] ?? db, accountId, request))) !== 'ok') return;
    if (index % 3 === 0) await failOne(db, request.id);
  });
  const seen = await watchQuotas(accountId, work);
  for (const { allocated, remaining } of seen) {
    expect(allocated.total.docs).toBe(40);
    expect(remaining.subscriptions.docs + remaining.credits.docs).toBe(remaining.total.docs);
    expect(Math.min(remaining.subscriptions.docs, remaining.credits.docs)).toBeGreaterThanOrEqual(0);
    expect(remaining.subscriptions.docs).toBeLessThanOrEqual(25);
    expect(remaining.credits.docs).toBeLessThanOrEqual(15);
  }
  expect(seen.length).toBeGreaterThan(1);
  const open = await pool.query(`select 1 from generations where account_id = $1 and status = 'queued'`, [accountId]);
  expect(seen.at(-1)?.remaining.total.docs).toBe(40 - (open.rowCount ?? 0));
});

describe('requests that arrive together', () => {
  const acceptors = [db, ...pools.slice(0, 1).map((handle) => handle.db)].map((one) => createAcceptor(one, 60_000));
  const acceptorOf = (index: number) => acceptors[index % 2] ?? createAcceptor(db, 60_000);
  const [accept = createAcceptor(db, 60_000)] = acceptors;

  it.each([1, 2])('get exactly what is left, over two processes (%i)', async () => {
    const account = await newAccount(db, { docs: 25 });
    const order = (index: number) =>
      outcomeOf(acceptorOf(index)(account.accountId, documentRequest(account.templateId)));
    expect(tally(await together(80, order))).toEqual({ ok: 25, quota_exceeded: 55 });
    expect(await allowancesOf(account)).toEqual([{ held: 25, left: 0 }]);
  });

  it('are rejected individually: an unknown template or version affects no other request', async () => {
    const account = await newAccount(db, { docs: 100 });
    const requests = Array.from({ length: 30 }, (_, index) =>
      documentRequest(index % 3 === 1 ? 'tpl_none' : account.templateId, index % 3 === 2 ? { version: 9 } : {}),
    );
    const outcomes = await Promise.all(requests.map((request) => outcomeOf(accept(account.accountId, request))));
    expect(outcomes).toEqual(requests.map((_, index) => (index % 3 === 0 ? 'ok' : 'not_found')));
    expect(await allowancesOf(account)).toEqual([{ held: 10, left: 90 }]);
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
    const outcomes = await Promise.all(requests.map((request) => accept(account.accountId, request)));
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

  it('reserve all documents of an account, or none', async () => {
    const account = await newAccount(db, { docs: 5 });
    const requests = Array.from({ length: 6 }, () => documentRequest(account.templateId));
    const rows = await reserveDocuments(
      db,
      requests.map((request) => ({ accountId: account.accountId, request })),
    );
    expect(rows.map((row) => row.is_held)).toEqual(Array(6).fill(false));
    expect(await allowancesOf(account)).toEqual([{ held: 0, left: 5 }]);
  });

  it('with a test key and a live key are charged by their key', async () => {
    const { accountId, templateId, docsLeft } = await newAccount(db, { docs: 5 });
    const kinds = [{ keyId: 'key_test', isTest: true }, { keyId: 'key_live' }];
    const outcomes = await together(40, (i) => outcomeOf(accept(accountId, documentRequest(templateId, kinds[i % 2]))));
    expect(tally(outcomes)).toEqual({ ok: 25, quota_exceeded: 15 });
    expect(await docsLeft()).toBe(0);
  });
});
