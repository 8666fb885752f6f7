import { describe, expect, it } from 'vitest';
import { acceptGeneration } from '../../../../src/shared/domain/generations/accept-generation.ts';
import { failGeneration } from '../../../../src/shared/domain/generations/fail-generation.ts';
import { succeedGeneration } from '../../../../src/shared/domain/generations/succeed-generation.ts';
import { openMonth } from '../../../../src/shared/domain/quota/open-month.ts';
import { readQuotas } from '../../../../src/shared/domain/quota/read-quotas.ts';
import { setSubscription } from '../../../../src/shared/domain/quota/set-subscription.ts';
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
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const utc = (text: string) => new Date(`${text}Z`);

interface Month {
  readonly starts: string;
  readonly ends: string;
  readonly docs: number;
  readonly held: number;
  readonly settled: number;
}

async function months(accountId: string): Promise<Month[]> {
  const { rows } = await pool.query<Month>(
    `select to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD') as starts, to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD') as ends,
        docs, docs_held as held, docs_settled as settled
      from allowances where account_id = $1 and kind = 'subscription' order by starts_at`,
    [accountId],
  );
  return rows;
}

const spans = async (accountId: string) => (await months(accountId)).map(({ starts, ends }) => `${starts} ${ends}`);

async function acceptAt(account: TestAccount, at: Date): Promise<string> {
  const request = documentRequest(account.templateId);
  await acceptGeneration(db, account.accountId, request, at);
  return request.id;
}

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
  ])('with anchor day %i, %s lies in the month %s', async (anchorDay, at, month) => {
    const account = await newAccount(db, { docs: 3, anchorDay, at: utc(at) });
    await acceptAt(account, utc(at));
    expect(await spans(account.accountId)).toEqual([month]);
  });

  it.each([1, 15, 28, 29, 30, 31])(
    'with anchor day %i follow one another for four years without a gap',
    async (anchorDay) => {
      const start = utc('2026-12-05T08:30:00').getTime();
      const account = await newAccount(db, { docs: 100, anchorDay, at: new Date(start) });
      for (let day = 0; day <= 4 * 366; day += 19)
        await openMonth(db, account.accountId, new Date(start + day * 86_400_000));
      const rows = await months(account.accountId);
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
    const outcomes = await together(50, (index) =>
      outcomeOf(
        acceptGeneration(db, account.accountId, documentRequest(account.templateId), index % 2 === 0 ? before : after),
      ),
    );
    expect(tally(outcomes)).toEqual({ ok: 20, quota_exceeded: 30 });
    expect((await months(account.accountId)).map(({ starts, held }) => `${starts} ${held}`)).toEqual([
      '2027-05-01 10',
      '2027-06-01 10',
    ]);
  });

  it('grants a full month to an account whose last one is used up', async () => {
    const account = await newAccount(db, { docs: 1, at: before });
    await acceptAt(account, before);
    expect(await outcomeOf(acceptAt(account, before))).toBe('quota_exceeded');
    expect(await outcomeOf(acceptAt(account, after))).toBe('ok');
    const quotas = await readQuotas(db, account.accountId, after);
    expect(quotas).toMatchObject({
      allocated: { subscriptions: { docs: 1 } },
      remaining: { subscriptions: { docs: 0 } },
    });
  });

  it('shows a full month before its first document', async () => {
    const account = await newAccount(db, { docs: 7, at: before });
    await acceptAt(account, before);
    expect((await readQuotas(db, account.accountId, before)).remaining.subscriptions.docs).toBe(6);
    expect((await readQuotas(db, account.accountId, after)).remaining.subscriptions.docs).toBe(7);
    expect(await spans(account.accountId)).toEqual(['2027-05-01 2027-06-01']);
  });

  it('charges and refunds a document in the month of its acceptance', async () => {
    const account = await newAccount(db, { docs: 5, at: before });
    const [made, failed] = [await acceptAt(account, before), await acceptAt(account, before)];
    await acceptAt(account, after);
    const claim = await claimed(db, made);
    await succeedGeneration(db, claim, finishedDocument(claim));
    await failGeneration(db, await claimed(db, failed), { code: 'internal', message: 'Internal server error' });
    expect(await months(account.accountId)).toMatchObject([
      { starts: '2027-05-01', held: 0, settled: 1 },
      { starts: '2027-06-01', held: 1, settled: 0 },
    ]);
    expect(await violations(pool)).toEqual([]);
  });

  it('opens one month when concurrent requests find it missing', async () => {
    const account = await newAccount(db, { docs: 5, at: before });
    await together(30, () => openMonth(db, account.accountId, after));
    expect(await spans(account.accountId)).toEqual(['2027-05-01 2027-06-01', '2027-06-01 2027-07-01']);
  });
});

describe('a new anchor day', () => {
  it('ends the current month where the new one begins; what was used stays used', async () => {
    const at = utc('2027-03-20T10:00:00');
    const account = await newAccount(db, { docs: 10, anchorDay: 10, at });
    await acceptAt(account, at);
    await setSubscription(db, { accountId: account.accountId, docs: 10, templates: 1, anchorDay: 25 }, at);
    expect((await readQuotas(db, account.accountId, at)).remaining.subscriptions.docs).toBe(9);
    await acceptAt(account, utc('2027-03-25T00:00:00'));
    expect(await spans(account.accountId)).toEqual(['2027-03-10 2027-03-25', '2027-03-25 2027-04-25']);
  });

  it('equal to the current one changes nothing', async () => {
    const at = utc('2027-03-20T10:00:00');
    const account = await newAccount(db, { docs: 10, anchorDay: 31, at });
    await setSubscription(db, { accountId: account.accountId, docs: 20, templates: 1 }, at);
    expect(await spans(account.accountId)).toEqual(['2027-02-28 2027-03-31']);
  });

  it('that changes back and forth leaves no time without a month', async () => {
    const account = await newAccount(db, { docs: 3, anchorDay: 5, at: utc('2027-01-06T00:00:00') });
    const set = (anchorDay: number, at: string) =>
      setSubscription(db, { accountId: account.accountId, docs: 3, templates: 1, anchorDay }, utc(at));
    await set(10, '2027-01-07T00:00:00');
    await set(5, '2027-01-12T00:00:00');
    expect(await outcomeOf(acceptAt(account, utc('2027-01-12T00:00:01')))).toBe('ok');
    expect(await spans(account.accountId)).toEqual(['2027-01-05 2027-01-10', '2027-01-10 2027-02-05']);
  });

  it.each([1, 2, 3, 4, 5])('set while a month ends leaves one month at a time (%i)', async (round) => {
    const start = utc('2027-01-10T00:00:00');
    const account = await newAccount(db, { docs: 40, anchorDay: 10, at: start });
    const at = new Date(start.getTime() + (31 + round) * 86_400_000);
    await together<unknown>(30, (index) =>
      index % 10 === 0
        ? setSubscription(db, { accountId: account.accountId, docs: 40, templates: 1, anchorDay: 1 + index }, at)
        : acceptAt(account, at),
    );
    expect(await violations(pool)).toEqual([]);
    const { remaining } = await readQuotas(db, account.accountId, at);
    expect(remaining.subscriptions.docs).toBe(40 - 27);
  });
});
