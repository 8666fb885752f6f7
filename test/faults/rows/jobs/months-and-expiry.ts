import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import { type DatabaseClock, openDatabaseClock } from '../../harness/database-clock.ts';
import { type Harness, type Owner, tally, together } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';
import { heavyLetter } from '../input/slow-clients.ts';

const dayMs = 86_400_000;
const megabyte = 1024 * 1024;
const ttlSeconds = 600;
/** A time at which a day, a month and a year begin, years ahead because accounts are created today. */
const newYear = new Date(Date.UTC(new Date().getUTCFullYear() + 2, 0, 1));

/** The used quota months of an account, with reserved and settled documents. */
async function usedMonths(h: Harness, { account }: Owner): Promise<string[]> {
  const rows = await h.query<{ month: string }>(
    `select to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD') || ' ' || docs_held || '+' || docs_settled as month
      from allowances where account_id = $1 and kind = 'subscription' and docs_held + docs_settled > 0 order by starts_at`,
    [account.accountId],
  );
  return rows.map(({ month }) => month);
}

/** One API and one worker that use the clock of the row. */
async function startWithClock(h: Harness): Promise<DatabaseClock> {
  const clock = await openDatabaseClock(h);
  const env = { ...clock.env, RESULT_TTL_SECONDS: String(ttlSeconds) };
  await h.start({ api: { env }, worker: { env } });
  return clock;
}

/** A dozen requests before New Year, then one after another until it begins, then a dozen more. */
async function askAcrossNewYear(clock: DatabaseClock, owner: Owner): Promise<Answer[]> {
  const ask = (): Promise<Answer> => owner.client.generate(owner);
  await clock.set(new Date(newYear.getTime() - 30_000));
  const pending = [...(await together(12, ask))].map((answer) => Promise.resolve(answer));
  await clock.set(new Date(newYear.getTime() - 1_000));
  while ((await clock.now()) <= newYear) {
    pending.push(ask());
    await delay(60);
  }
  return [...(await Promise.all(pending)), ...(await together(12, ask))];
}

/** Requests an asynchronous document and returns the path of its file when it is finished. */
async function requestForLater(h: Harness, { client, account, templateId }: Owner): Promise<string> {
  h.allowedUnanswered += 1;
  const answer = await client.call('POST', `/v1/templates/${templateId}/generate`, {
    headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
    body: JSON.stringify({ data: { canary: account.canary, order: 'later' } }),
  });
  expectEqual(answer.status, 202, 'the order');
  await h.settled();
  return `${answer.headers.get('Location') ?? ''}/content`;
}

export const timeRows: readonly Row[] = [
  {
    id: 'T1',
    title: 'requests across the end of a month',
    story:
      "Requests throughout New Year by the database's clock: with 10 documents a month, 10 succeed before and 10 after; each counts once, in the month of its acceptance",
    async run(h) {
      const clock = await startWithClock(h);
      const owner = await h.owner(letter, { subscription: 10 });
      const answers = await askAcrossNewYear(clock, owner);
      expectEqual(tally(answers), { 200: 20, 402: answers.length - 20 }, 'the answers');
      const [december, january] = [Date.UTC(newYear.getUTCFullYear() - 1, 11, 1), newYear.getTime()].map((time) =>
        new Date(time).toISOString().slice(0, 10),
      );
      expectEqual(await usedMonths(h, owner), [`${december} 0+10`, `${january} 0+10`], 'the months');
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
      const owner = await h.owner(letter, { subscription: 10 });
      const { client } = owner;
      for (const api of jumped) {
        api.signal('SIGUSR2');
        await until('a red readiness', async () => (await api.readiness()).status === 503);
      }
      expectEqual((await right.readiness()).status, 200, 'the readiness of the API whose clock is right');
      const urls = [right, ...jumped].map(({ url }) => url);
      const answers = await together(30, (index) => client.generate({ ...owner, api: urls[index % 3] }));
      expectEqual(tally(answers), { 200: 10, 402: 20 }, 'the answers');
      const quotas = await Promise.all(urls.map((api) => client.call('GET', '/v1/account/quotas', { api })));
      expectEqual(new Set(quotas.map(({ body }) => body.toString())).size, 1, 'different quotas');
      expectEqual((await client.quotas()).docs, 0, 'the rest');
      expectEqual((await usedMonths(h, owner)).length, 1, 'grants');
    },
  },
  {
    id: 'T7',
    title: 'sweep of expired results during downloads',
    story:
      '3 MB downloads that start before, at and after the expiry over a slow connection: complete by checksum, or 404 with that reason; the object is deleted and the charge stays',
    async run(h) {
      const clock = await startWithClock(h);
      const owner = await h.owner(heavyLetter(3 * megabyte), { credits: 5 });
      const path = await requestForLater(h, owner);
      const fetchFile = (): Promise<Answer> => owner.client.call('GET', path);
      const first = await fetchFile();
      const digest = createHash('sha256').update(first.body).digest('hex');
      expectEqual([first.status, first.headers.get('ETag')], [200, `"${digest}"`], 'the download in time');
      h.backing.s3.proxy.set({ bytesPerSecond: 3 * megabyte });
      const downloads = Array.from({ length: 4 }, fetchFile);
      await delay(200);
      await clock.set(new Date((await clock.now()).getTime() + (ttlSeconds + 1) * 1_000));
      while (h.objectsOf(owner, 'results').length > 0) {
        const next = fetchFile();
        downloads.push(next);
        await next;
      }
      for (const { status, body } of await Promise.all(downloads)) {
        expect(status === 200 || status === 404, `a download was answered ${status}`);
        expect(status !== 200 || body.equals(first.body), `a download of ${body.length} bytes is not the document`);
      }
      const late = await until('the answer that it is missing', async () => {
        const answer = await fetchFile();
        return answer.status === 404 && answer;
      });
      expect(late.body.includes('expired'), `the reason is ${late.body.toString()}`);
      expectEqual((await owner.client.quotas()).docs, 4, 'the credits left');
    },
  },
];
