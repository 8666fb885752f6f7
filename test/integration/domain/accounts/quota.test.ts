import { describe, expect, it } from 'vitest';
import { succeedDocument } from '../../../../src/shared/domain/documents/succeed-document.ts';
import { grantCredits } from '../../../../src/shared/domain/quota/grant-credits.ts';
import { openMonth } from '../../../../src/shared/domain/quota/open-month.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { setSubscription } from '../../../../src/shared/domain/quota/set-subscription.ts';
import {
  claimed,
  failOne,
  finishedDocument,
  newAccount,
  outcomeOf,
  tally,
  together,
} from '../../../support/domain/accounts.ts';
import { keepRules } from '../../../support/domain/keep-rules.ts';
import { holdAllowances } from '../../../support/faults/held-rows.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
keepRules(pool);
const utc = (text: string) => new Date(`${text}Z`);

interface Month {
  readonly starts: string;
  readonly ends: string;
  readonly held: number;
  readonly settled: number;
}

async function months(accountId: string): Promise<Month[]> {
  const { rows } = await pool.query<Month>(
    `select to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD') as starts, to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD') as ends,
        docs_held as held, docs_settled as settled
      from allowances where account_id = $1 and kind = 'subscription' order by starts_at`,
    [accountId],
  );
  return rows;
}

const spans = async (accountId: string) => (await months(accountId)).map(({ starts, ends }) => `${starts} ${ends}`);

describe('quota months', () => {
  it.each([
    [1, '2027-01-15T12:00:00', '2027-01-01 2027-02-01'],
    [1, '2027-12-31T23:59:59.999', '2027-12-01 2028-01-01'],
    [1, '2028-01-01T00:00:00', '2028-01-01 2028-02-01'],
    [15, '2027-01-14T23:59:59.999', '2026-12-15 2027-01-15'],
    [15, '2027-01-15T00:00:00', '2027-01-15 2027-02-15'],
    [29, '2027-02-27T23:59:59.999', '2027-01-29 2027-02-28'],
    [29, '2027-02-28T00:00:00', '2027-02-28 2027-03-29'],
    [29, '2028-02-28T12:00:00', '2028-01-29 2028-02-29'],
    [29, '2028-02-29T00:00:00', '2028-02-29 2028-03-29'],
    [30, '2027-01-30T00:00:00', '2027-01-30 2027-02-28'],
    [30, '2028-02-29T12:00:00', '2028-02-29 2028-03-30'],
    [31, '2027-01-31T00:00:00', '2027-01-31 2027-02-28'],
    [31, '2027-02-28T00:00:00', '2027-02-28 2027-03-31'],
    [31, '2027-04-30T00:00:00', '2027-04-30 2027-05-31'],
    [31, '2028-02-29T00:00:00', '2028-02-29 2028-03-31'],
    [31, '2027-12-31T00:00:00', '2027-12-31 2028-01-31'],
  ])('begin on the anchor day: with %i, %s lies in the month %s', async (anchorDay, at, month) => {
    const account = await newAccount(db, { docs: 3, anchorDay, at: utc(at) });
    await account.accept({}, utc(at));
    expect(await spans(account.accountId)).toEqual([month]);
  });

  it.each([1, 28, 29, 30, 31])(
    'with anchor day %i follow each other for four years without a gap',
    async (anchorDay) => {
      const start = utc('2026-12-05T08:30:00').getTime();
      const { accountId } = await newAccount(db, { docs: 100, anchorDay, at: new Date(start) });
      for (let day = 0; day <= 4 * 366; day += 19) await openMonth(db, accountId, new Date(start + day * 86_400_000));
      const rows = await months(accountId);
      expect(rows.length).toBeGreaterThanOrEqual(48);
      for (const [index, row] of rows.entries()) expect(row.ends).toBe(rows[index + 1]?.starts ?? row.ends);
      expect(new Set(rows.map((row) => row.starts.slice(0, 7))).size).toBe(rows.length);
    },
  );

  it('do not move with the time zone of the connection', async () => {
    const client = await pool.connect();
    try {
      await client.query(`set time zone 'America/Sao_Paulo'`);
      const { rows } = await client.query<{ start: Date; finish: Date }>(
        `select quota_month_start(1, '2027-04-01T00:00:00Z') as start, quota_month_end(31, '2027-02-28T02:59:59Z') as finish`,
      );
      expect(rows[0]).toEqual({ start: utc('2027-04-01T00:00:00'), finish: utc('2027-03-31T00:00:00') });
    } finally {
      await client.query('reset time zone');
      client.release();
    }
  });
});

describe('the end of a quota month', () => {
  const before = utc('2027-05-31T23:59:59.999');
  const after = utc('2027-06-01T00:00:00.000');

  it('counts each request in the month of its acceptance', async () => {
    const account = await newAccount(db, { docs: 10, at: before });
    const outcomes = await together(50, (index) => outcomeOf(account.accept({}, index % 2 === 0 ? before : after)));
    expect(tally(outcomes)).toEqual({ ok: 20, quota_exceeded: 30 });
    expect(await months(account.accountId)).toMatchObject([
      { starts: '2027-05-01', held: 10 },
      { starts: '2027-06-01', held: 10 },
    ]);
  });

  it('grants a full month to an account that has used up its last one, and shows it before the first document', async () => {
    const { accountId, accept } = await newAccount(db, { docs: 1, at: before });
    const remaining = async (at: Date) => (await readQuotas(db, accountId, at)).remaining.subscriptions.docs;
    await accept({}, before);
    expect(await outcomeOf(accept({}, before))).toBe('quota_exceeded');
    expect([await remaining(before), await remaining(after)]).toEqual([0, 1]);
    expect(await spans(accountId)).toEqual(['2027-05-01 2027-06-01']);
    expect(await outcomeOf(accept({}, after))).toBe('ok');
    expect(await readQuotas(db, accountId, after)).toMatchObject({
      allocated: { subscriptions: { docs: 1 } },
      remaining: { subscriptions: { docs: 0 } },
    });
  });

  it('refuses nobody when the month ends while its first request opens it', async () => {
    const { accountId, accept } = await newAccount(db, { docs: 1, at: utc('2027-04-15T00:00:00') });
    let statements = 0;
    // Each statement reads the time once. The first reservation and the opening of the month are before its end.
    const at = Object.assign(new Date(before), {
      toISOString: () => new Date(++statements <= 2 ? before : after).toISOString(),
    });
    expect(await outcomeOf(accept({}, at))).toBe('ok');
    expect((await months(accountId)).map(({ starts, held }) => `${starts} ${held}`)).toEqual([
      '2027-04-01 0',
      '2027-05-01 0',
      '2027-06-01 1',
    ]);
  });

  it('charges and refunds a document in the month of its acceptance', async () => {
    const { accountId, accept } = await newAccount(db, { docs: 5, at: before });
    const [made, failed] = [await accept({}, before), await accept({}, before)];
    await accept({}, after);
    const claim = await claimed(db, made);
    await succeedDocument(db, claim, finishedDocument(claim));
    await failOne(db, failed);
    expect(await months(accountId)).toMatchObject([
      { starts: '2027-05-01', held: 0, settled: 1 },
      { starts: '2027-06-01', held: 1, settled: 0 },
    ]);
  });

  it('opens one month when concurrent requests find it missing', async () => {
    const { accountId } = await newAccount(db, { docs: 5, at: before });
    await together(30, () => openMonth(db, accountId, after));
    expect(await spans(accountId)).toEqual(['2027-05-01 2027-06-01', '2027-06-01 2027-07-01']);
  });
});

describe('a new anchor day', () => {
  async function withAnchor(docs: number, anchorDay: number, start: string) {
    const account = await newAccount(db, { docs, anchorDay, at: utc(start) });
    const { accountId } = account;
    const set = (day: number, at: Date) => setSubscription(db, { accountId, docs, templates: 1, anchorDay: day }, at);
    const remaining = async (at: Date) => (await readQuotas(db, accountId, at)).remaining.subscriptions.docs;
    return { ...account, set, remaining };
  }

  it('ends the current month where the new one begins; what was used stays used', async () => {
    const { accountId, accept, set, remaining } = await withAnchor(10, 10, '2027-03-20T10:00:00');
    const at = utc('2027-03-20T10:00:00');
    await accept({}, at);
    await set(25, at);
    expect(await remaining(at)).toBe(9);
    await accept({}, utc('2027-03-25T00:00:00'));
    expect(await spans(accountId)).toEqual(['2027-03-10 2027-03-25', '2027-03-25 2027-04-25']);
  });

  it('is not changed by a change of the number of documents', async () => {
    const at = utc('2027-03-20T10:00:00');
    const { accountId } = await withAnchor(10, 31, '2027-03-20T10:00:00');
    await setSubscription(db, { accountId, docs: 20, templates: 1 }, at);
    expect(await spans(accountId)).toEqual(['2027-02-28 2027-03-31']);
  });

  it('that changes back and forth leaves no time without a month', async () => {
    const { accountId, accept, set } = await withAnchor(3, 5, '2027-01-06T00:00:00');
    await set(10, utc('2027-01-07T00:00:00'));
    await set(5, utc('2027-01-12T00:00:00'));
    expect(await outcomeOf(accept({}, utc('2027-01-12T00:00:01')))).toBe('ok');
    expect(await spans(accountId)).toEqual(['2027-01-05 2027-01-10', '2027-01-10 2027-02-05']);
  });

  it.each([1, 2])('that is set while a month ends leaves one month at a time (%i)', async (round) => {
    const { accept, set, remaining } = await withAnchor(40, 10, '2027-01-10T00:00:00');
    const at = new Date(utc('2027-01-10T00:00:00').getTime() + (31 + round) * 86_400_000);
    await together<unknown>(30, (index) => (index % 10 === 0 ? set(1 + index, at) : accept({}, at)));
    expect(await remaining(at)).toBe(40 - 27);
  });
});

const side = (subscriptionDocs: number, creditDocs: number) => ({
  subscriptions: { docs: subscriptionDocs, templates: expect.any(Number) },
  credits: { docs: creditDocs, templates: expect.any(Number) },
  total: { docs: subscriptionDocs + creditDocs, templates: expect.any(Number) },
});

describe('a subscription', () => {
  async function accountWith(docs: number, used: number) {
    const account = await newAccount(db, { docs });
    const { accountId } = account;
    const ids: string[] = [];
    for (let count = 0; count < used; count++) ids.push(await account.accept());
    const set = (next: number) => setSubscription(db, { accountId, docs: next, templates: 1 });
    return { ...account, ids, set, quotas: () => readQuotas(db, accountId) };
  }

  it('that is raised applies immediately', async () => {
    const account = await accountWith(2, 2);
    expect(await outcomeOf(account.accept())).toBe('quota_exceeded');
    await account.set(3);
    expect(tally(await together(5, () => outcomeOf(account.accept())))).toEqual({ ok: 1, quota_exceeded: 4 });
  });

  it('that is lowered below its usage leaves zero, never less, and releases nothing twice', async () => {
    const account = await accountWith(5, 4);
    await account.set(2);
    expect(await account.quotas()).toEqual({ allocated: side(2, 0), remaining: side(0, 0) });
    for (const id of account.ids.slice(0, 2)) {
      expect(await outcomeOf(account.accept())).toBe('quota_exceeded');
      await failOne(db, id);
    }
    expect(await outcomeOf(account.accept())).toBe('quota_exceeded');
    await failOne(db, account.ids[2] ?? '');
    expect(await outcomeOf(account.accept())).toBe('ok');
  });

  it('that is lowered also applies to waiting requests', async () => {
    const account = await accountWith(50, 0);
    const hold = await holdAllowances(pool, account.accountId);
    const lowering = account.set(3);
    await hold.waiters(1);
    const outcomes = together(10, () => outcomeOf(account.accept()));
    await hold.waiters(11);
    await hold.release();
    await lowering;
    expect(tally(await outcomes)).toEqual({ ok: 3, quota_exceeded: 7 });
  });

  it('that is set to nothing leaves the credits', async () => {
    const account = await accountWith(5, 1);
    await account.set(0);
    await grantCredits(db, { accountId: account.accountId, docs: 1, templates: 0 });
    expect(await account.quotas()).toEqual({ allocated: side(0, 1), remaining: side(0, 1) });
    expect(tally(await together(4, () => outcomeOf(account.accept())))).toEqual({ ok: 1, quota_exceeded: 3 });
  });

  it('of an unknown account is rejected, as are its credits', async () => {
    const input = { accountId: 'acc_none', docs: 1, templates: 1 };
    expect(await outcomeOf(setSubscription(db, input))).toBe('not_found');
    expect(await outcomeOf(grantCredits(db, input))).toBe('not_found');
  });

  it('that is set for the first time by concurrent requests exists once', async () => {
    const { accountId, docsLeft } = await newAccount(db, { credits: [{ docs: 0 }] });
    await together(20, (index) =>
      setSubscription(db, { accountId, docs: 7, templates: 1, anchorDay: 1 + (index % 28) }),
    );
    expect(await docsLeft()).toBe(7);
  });
});

describe('credits', () => {
  it('are usable as soon as they are granted', async () => {
    for (let round = 0; round < 20; round++) {
      const account = await newAccount(db, { credits: [{ docs: 0 }] });
      await grantCredits(db, { accountId: account.accountId, docs: 1, templates: 0 });
      expect(await outcomeOf(account.accept())).toBe('ok');
    }
  });

  it('leave the quotas when they expire, used or not', async () => {
    const [at, later] = [utc('2027-05-01T00:00:00'), utc('2027-05-02T00:00:00')];
    const { accountId, accept } = await newAccount(db, { docs: 1, credits: [{ docs: 4, expiresAt: later }], at });
    await together(3, () => accept({}, at));
    expect(await readQuotas(db, accountId, at)).toEqual({ allocated: side(1, 4), remaining: side(0, 2) });
    expect(await readQuotas(db, accountId, later)).toEqual({ allocated: side(1, 0), remaining: side(0, 0) });
  });

  it('may exceed 32 bits', async () => {
    const most = 2_147_483_647;
    const { docsLeft } = await newAccount(db, { docs: most, credits: [{ docs: most }, { docs: most }] });
    expect(await docsLeft()).toBe(3 * most);
  });
});
