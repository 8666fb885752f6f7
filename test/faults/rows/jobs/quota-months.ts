import { setTimeout as delay } from 'node:timers/promises';
import { setSubscription } from '../../../../src/shared/domain/quota/set-subscription.ts';
import type { Answer } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import { type DatabaseClock, openDatabaseClock } from '../../harness/database-clock.ts';
import { type Harness, type Owner, tally } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const dayMs = 86_400_000;
/** Years in the future: accounts are created today. */
const nextYear = new Date().getUTCFullYear() + 2;
const leapYear = nextYear + 4 - (nextYear % 4);
/** A day, a month and a year begin at once. */
const newYear = new Date(Date.UTC(nextYear, 0, 1));

/** The used quota months of an account, with reserved and settled documents. */
async function usedMonths(h: Harness, accountId: string): Promise<string[]> {
  const rows = await h.query<{ month: string }>(
    `select to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD') || ' ' || docs_held || '+' || docs_settled as month
      from allowances where account_id = $1 and kind = 'subscription' and docs_held + docs_settled > 0 order by starts_at`,
    [accountId],
  );
  return rows.map(({ month }) => month);
}

function day(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** One API and one worker that use the clock of the row. */
async function startWithClock(h: Harness, timeZone?: string): Promise<DatabaseClock> {
  const clock = await openDatabaseClock(h, timeZone);
  const env = { ...clock.env, ...(timeZone === undefined ? {} : { TZ: timeZone }) };
  await h.start({ api: { env }, worker: { env } });
  return clock;
}

async function ask({ client, templateId }: Owner, times: number): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, () => client.generate({ templateId })));
}

/** A dozen requests before New Year, then one after another until it begins, then a dozen more. */
async function askAcrossNewYear(clock: DatabaseClock, owners: readonly Owner[]): Promise<Answer[][]> {
  const pending = owners.map((): Promise<Answer>[] => []);
  const askAll = (times: number): void => {
    for (const [index, { client, templateId }] of owners.entries())
      for (let time = 0; time < times; time++) pending[index]?.push(client.generate({ templateId }));
  };
  await clock.set(new Date(newYear.getTime() - 30_000));
  askAll(12);
  await Promise.all(pending.flat());
  await clock.set(new Date(newYear.getTime() - 1_000));
  while ((await clock.now()) <= newYear) {
    askAll(1);
    await delay(60);
  }
  askAll(12);
  return Promise.all(pending.map((answers) => Promise.all(answers)));
}

/** Sends the first requests of a month as it ends: some open it, and the next month begins meanwhile. */
async function askFirstAsMonthsEnd(h: Harness, clock: DatabaseClock): Promise<void> {
  const owner = await h.owner(letter, { subscription: 500 });
  for (let month = 2; month <= 2 * Math.min(8, h.repeats); month += 2) {
    await clock.set(new Date(Date.UTC(nextYear, month, 1) - 40));
    expectEqual(tally(await ask(owner, 15)), { 200: 15 }, `the answers as month ${month} ends`);
  }
}

/** The start of the quota month that belongs to a calendar month. */
function turnOf(year: number, month: number, anchorDay: number): Date {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(anchorDay, lastDay)));
}

/** Two documents in each of 15 months: one at its start, one in its last second, and never a third. */
async function walkMonths(h: Harness, clock: DatabaseClock, anchorDay: number): Promise<void> {
  const owner = await h.owner(letter, { subscription: 2 });
  const { accountId } = owner.account;
  await setSubscription(h.backing.postgres.database.db, { accountId, docs: 2, templates: 0, anchorDay });
  const turns = Array.from({ length: 16 }, (_, index) => turnOf(leapYear - 1, index, anchorDay));
  for (const [index, turn] of turns.slice(0, -1).entries()) {
    const end = turns[index + 1] ?? turn;
    await clock.set(turn);
    expectEqual(tally(await ask(owner, 1)), { 200: 1 }, `the start of the month from ${day(turn)}`);
    await clock.set(new Date(end.getTime() - 10_000));
    expectEqual(tally(await ask(owner, 2)), { 200: 1, 402: 1 }, `the last second of the month from ${day(turn)}`);
  }
  const expected = turns.slice(0, -1).map((turn) => `${day(turn)} 0+2`);
  expectEqual(await usedMonths(h, accountId), expected, `the months of anchor day ${anchorDay}`);
}

export const quotaMonthRows: readonly Row[] = [
  {
    id: 'T1',
    title: 'requests across the end of a month',
    story:
      "Requests throughout New Year by the database's clock: with 10 documents a month, 10 succeed before and 10 after; each counts once, in the month of its acceptance; none is rejected between the months",
    isQuick: true,
    async run(h) {
      const clock = await startWithClock(h);
      const owners = [await h.owner(letter, { subscription: 10 }), await h.owner(letter, { subscription: 500 })];
      const [few = [], many = []] = await askAcrossNewYear(clock, owners);
      expectEqual(tally(few), { 200: 20, 402: few.length - 20 }, 'the answers at 10 a month');
      expectEqual(tally(many), { 200: many.length }, 'the answers at 500 a month');
      const months = [day(new Date(Date.UTC(nextYear - 1, 11, 1))), day(newYear)];
      const [first, second] = owners.map(({ account }) => account.accountId);
      expectEqual(
        await usedMonths(h, first ?? ''),
        months.map((month) => `${month} 0+10`),
        'the months of the first',
      );
      const counts = await h.query<{ month: string }>(
        `select to_char(date_trunc('month', accepted_at at time zone 'UTC'), 'YYYY-MM-DD') || ' 0+' || count(*) as month
          from generations where account_id = $1 group by date_trunc('month', accepted_at at time zone 'UTC') order by 1`,
        [second],
      );
      await askFirstAsMonthsEnd(h, clock);
      expectEqual(counts.length, 2, 'months in which documents were accepted');
      expectEqual(
        await usedMonths(h, second ?? ''),
        counts.map(({ month }) => month),
        'the months of the second',
      );
    },
  },
  {
    id: 'T2',
    title: 'clock of one API jumps 35 days ahead, of another a day back',
    story:
      "The month is that of the database's clock alone: one grant, all show the same rest. Object storage refuses the two, so they turn unready",
    async run(h) {
      const right = await h.startApi();
      const jumped = await Promise.all(
        [35 * dayMs, -dayMs].map((jumpMs) => h.startApi({ env: { CLOCK_JUMP_MS: String(jumpMs) } })),
      );
      await h.startWorker();
      const { client, account, templateId } = await h.owner(letter, { subscription: 10 });
      for (const api of jumped) {
        api.signal('SIGUSR2');
        await until('a red readiness', async () => (await api.readiness()).status === 503);
      }
      expectEqual((await right.readiness()).status, 200, 'the readiness of the API whose clock is right');
      const urls = [right, ...jumped].map(({ url }) => url);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => client.generate({ templateId, api: urls[index % 3] })),
      );
      expectEqual(tally(answers), { 200: 10, 402: 20 }, 'the answers');
      const quotas = await Promise.all(urls.map((api) => client.call('GET', '/v1/account/quotas', { api })));
      expectEqual(new Set(quotas.map(({ body }) => body.toString())).size, 1, 'different quotas');
      expectEqual((await client.quotas()).docs, 0, 'the rest');
      expectEqual((await usedMonths(h, account.accountId)).length, 1, 'grants');
    },
  },
  {
    id: 'T3',
    title: 'accepted before midnight, finished after',
    story: 'Charged once, to the month of acceptance; the new month is untouched',
    async run(h) {
      const clock = await startWithClock(h);
      const owner = await h.owner(letter, { subscription: 5 });
      await clock.set(new Date(newYear.getTime() - 1_000));
      const point = h.arm('after-claim', 'hang');
      const pending = ask(owner, 1);
      await point.reached();
      await until('New Year', async () => (await clock.now()) > newYear, 10_000);
      point.release();
      expectEqual(tally(await pending), { 200: 1 }, 'the answer');
      const december = day(new Date(Date.UTC(nextYear - 1, 11, 1)));
      expectEqual(await usedMonths(h, owner.account.accountId), [`${december} 0+1`], 'the month that is charged');
      expectEqual((await owner.client.quotas()).docs, 5, 'what the new month has left');
    },
  },
  {
    id: 'T4',
    title: 'the new month is opened in parallel',
    story: '12 requests at once over two APIs are the first of a month of 5: one grant, exactly 5 times 200',
    async run(h) {
      const clock = await openDatabaseClock(h);
      const { env } = clock;
      const [one, two] = await Promise.all([h.startApi({ env }), h.startApi({ env }), h.startWorker({ env })]);
      const owners: Owner[] = [];
      for (let run = 0; run < h.repeats; run++) owners.push(await h.owner(letter, { subscription: 5 }));
      await clock.set(newYear);
      for (const { client, account, templateId } of owners) {
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, index) => client.generate({ templateId, api: [one.url, two.url][index % 2] })),
        );
        expectEqual(tally(answers), { 200: 5, 402: 7 }, 'the answers');
        expectEqual(await usedMonths(h, account.accountId), [`${day(newYear)} 0+5`], 'the months');
      }
      const grants = await h.query(
        `select account_id from allowances where account_id = any($1) and kind = 'subscription' and starts_at >= $2
          group by account_id having count(*) > 1`,
        [owners.map(({ account }) => account.accountId), newYear.toISOString()],
      );
      expect(grants.length === 0, `${grants.length} accounts were granted the month twice`);
    },
  },
  {
    id: 'T5',
    title: 'anchor days 29 to 31, a leap day, a time zone with summer time',
    story: '15 months each through a leap February, processes and connections in Lisbon time: none skipped, none twice',
    async run(h) {
      const clock = await startWithClock(h, 'Europe/Lisbon');
      for (const anchorDay of [31, 30, 29]) await walkMonths(h, clock, anchorDay);
    },
  },
];
