import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import { type Harness, tally } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

/** Kills the API at a failpoint of acceptance; the client retries with its key until it has the document. */
async function killAndAskAgain(h: Harness, window: 'after-commit-before-add' | 'after-data-before-add'): Promise<void> {
  const { client, account, templateId } = await h.owner(letter, { credits: 5 });
  const point = h.arm(window, 'kill');
  expectEqual((await client.generate({ templateId, key: window })).status, 0, 'the answer of the dying API');
  await point.reached();
  await h.startApi();
  await until(
    'the retry succeeding',
    async () => (await client.generate({ templateId, key: window })).status === 200,
    30_000,
    500,
  );
  const { succeeded } = await h.statuses(account.accountId);
  expectEqual(succeeded, 1, 'documents made');
  expectEqual((await client.quotas()).docs, 4, 'the credits left');
}

/** Waits until replies of workers arrive over the channel again: without it an answer waits for the next poll of the row. */
async function answersAtOnce(client: Client, templateId: string): Promise<void> {
  const times: number[] = [];
  for (let time = 0; time < 5; time++) times.push((await client.generate({ templateId })).durationMs);
  expect(Math.min(...times) < 1_500, `the fastest of five answers took ${Math.round(Math.min(...times))} ms`);
}

export const redisOutageRows: readonly Row[] = [
  {
    id: 'R1',
    title: 'Redis stopped before the request',
    story: '503 with Retry-After in under 2 s, the credit is refunded at once; 200 again when Redis is back',
    isQuick: true,
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 5 });
      await h.backing.redis.proxy.refuse();
      const answers = await Promise.all(Array.from({ length: 5 }, () => client.generate({ templateId })));
      expectEqual(tally(answers), { 503: 5 }, 'the answers');
      const slowestMs = Math.max(...answers.map(({ durationMs }) => durationMs));
      expect(slowestMs < 2_000, `the slowest 503 took ${Math.round(slowestMs)} ms`);
      expectEqual((await client.quotas()).docs, 5, 'the credits left');
      await until('a red readiness', async () => (await h.api.readiness()).status === 503, 5_000);
      await h.backing.redis.proxy.heal();
      await until('a green readiness', async () => (await h.api.readiness()).status === 200);
      expectEqual((await client.generate({ templateId })).status, 200, 'the answer with Redis');
      expectEqual(await h.statuses(account.accountId), { failed: 5, succeeded: 1 }, 'the documents');
    },
  },
  {
    id: 'R2',
    title: 'Redis stopped, or the API dead, between commit and add',
    story:
      'With the API running: 503, credit refunded. API killed before and after the data is stored: a retry gets the one document',
    async run(h) {
      await h.start();
      const { client, templateId } = await h.owner(letter, { credits: 5 });
      const point = h.arm('after-commit-before-add', 'hang');
      const pending = client.generate({ templateId });
      await point.reached();
      await h.backing.redis.proxy.refuse();
      point.release();
      expectEqual((await pending).status, 503, 'the answer');
      expectEqual((await client.quotas()).docs, 5, 'the credits left');
      await h.backing.redis.proxy.heal();
      await until('requests succeeding', async () => (await client.generate({ templateId })).status === 200);
      await killAndAskAgain(h, 'after-commit-before-add');
      await killAndAskAgain(h, 'after-data-before-add');
    },
  },
  {
    id: 'R3',
    title: 'Redis stopped while jobs run',
    story: 'Killed and down for 6 s with four documents in progress: each is delivered once, each mail arrives once',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 10 });
      const point = h.arm('after-claim', 'hang', 4);
      const email = { to: ['ada@sink.test'] };
      const pending = Array.from({ length: 4 }, () => client.generate({ templateId, email }));
      await point.reached(4);
      h.backing.redis.signal('SIGKILL');
      await h.backing.redis.proxy.refuse();
      await delay(1_000);
      point.release();
      await delay(5_000);
      await h.backing.redis.proxy.heal();
      const answers = await Promise.all(pending);
      const { 200: delivered = 0, 503: refused = 0 } = tally(answers);
      expectEqual(delivered + refused, 4, 'answers 200 or 503');
      await h.settled();
      expectEqual((await h.statuses(account.accountId)).succeeded ?? 0, delivered, 'documents made');
      const mails = await h.query(
        'select status, count(*)::int as count from deliveries where account_id = $1 group by status',
        [account.accountId],
      );
      expectEqual(mails, [{ status: 'sent', count: delivered }], 'the deliveries');
      await answersAtOnce(client, templateId);
    },
  },
  {
    id: 'R4',
    title: 'Redis killed with nothing on its disk',
    story:
      'All jobs and data are lost while ten documents wait: all fail and are refunded; the same requests then succeed once each',
    async run(h) {
      const { worker } = await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 20 });
      await worker.stop();
      const keys = Array.from({ length: 10 }, (_, index) => `r4-${index}`);
      const pending = keys.map((key) => client.generate({ templateId, key }));
      await until('ten documents waiting', async () => (await h.statuses(account.accountId)).queued === 10);
      await h.backing.redis.loseEverything();
      await h.startWorker();
      expectEqual(tally(await Promise.all(pending)), { 503: 10 }, 'the answers');
      expectEqual((await client.quotas()).docs, 20, 'the credits left');
      const again = await Promise.all(keys.map((key) => client.generate({ templateId, key })));
      expectEqual(tally(again), { 200: 10 }, 'the same requests again');
      expectEqual((await client.quotas()).docs, 10, 'the credits left at last');
    },
  },
  {
    id: 'R5',
    title: 'FLUSHALL mid-flight',
    story:
      'An attempt that has its data completes once; a document that lost its data is refunded; the sweeps continue',
    isQuick: true,
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 5 });
      for (const window of ['after-claim', 'after-render'] as const) {
        const point = h.arm(window, 'hang');
        const pending = client.generate({ templateId });
        await point.reached();
        await h.backing.redis.client.flushall();
        point.release();
        expectEqual((await pending).status, 200, `the answer of the attempt that had its data, flushed ${window}`);
      }
      // The worker reads the data while it claims: delete it before.
      const lost = h.arm('before-claim', 'hang');
      const hopeless = client.generate({ templateId });
      await lost.reached();
      await h.backing.redis.client.flushall();
      lost.release();
      expectEqual((await hopeless).status, 503, 'the answer without data');
      expectEqual(await h.statuses(account.accountId), { failed: 1, succeeded: 2 }, 'the documents');
      await h.backing.redis.client.flushall();
      await abandonedIsSwept(h);
    },
  },
];

/** A document whose API died before it was queued: only a sweep can finish it. */
async function abandonedIsSwept(h: Harness): Promise<void> {
  const { client, account, templateId } = await h.owner(letter, { credits: 5 });
  const point = h.arm('after-commit-before-add', 'kill');
  await client.generate({ templateId });
  await point.reached();
  await until(
    'a sweep giving the document back, though its schedule was flushed',
    async () => (await h.statuses(account.accountId)).failed === 1,
    45_000,
  );
  await h.startApi();
  expectEqual((await client.quotas()).docs, 5, 'the credits left');
}
