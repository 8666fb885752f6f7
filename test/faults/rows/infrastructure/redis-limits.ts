import { createLogger } from '../../../../src/shared/logger.ts';
import { createQueues } from '../../../../src/shared/queue/queues.ts';
import { letter } from '../../client/templates.ts';
import { tally } from '../../harness/harness.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

export const redisLimitRows: readonly Row[] = [
  {
    id: 'R6',
    title: 'maxmemory reached, noeviction',
    story: '503 with Retry-After for data that does not fit, no credit reserved; 200 again with free memory',
    async run(h) {
      await h.start();
      const { client, templateId } = await h.owner(letter, { credits: 10 });
      const { client: redis } = h.backing.redis;
      try {
        await redis.config('SET', 'maxmemory', '1mb');
        const answers = await Promise.all(Array.from({ length: 5 }, () => client.generate({ templateId })));
        expectEqual(tally(answers), { 503: 5 }, 'the answers of a full Redis');
        expectEqual((await client.quotas()).docs, 10, 'the credits left');
      } finally {
        await redis.config('SET', 'maxmemory', '0');
      }
      expectEqual((await client.generate({ templateId })).status, 200, 'the answer with room');
    },
  },
  {
    id: 'R7',
    title: 'allkeys-lru configured',
    story: 'API and worker refuse to start and name the setting',
    async run(h) {
      const { client: redis } = h.backing.redis;
      try {
        await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
        const [api, worker] = await Promise.all([
          h.startApi({ isAwaited: false }),
          h.startWorker({ isAwaited: false }),
        ]);
        for (const process of [api, worker]) {
          process.isExpectedToEnd = true;
          const exit = await until(`${process.spec.name} ending`, () => process.exit, 20_000);
          expectEqual(exit.code, 1, `the ending of ${process.spec.name}`);
          expect(process.log().includes('maxmemory-policy allkeys-lru'), 'the log does not name the setting');
        }
      } finally {
        await redis.config('SET', 'maxmemory-policy', 'noeviction');
      }
    },
  },
  {
    id: 'R8',
    title: 'Redis paused, slow, and half open',
    story:
      'CLIENT PAUSE of 10 s, 3 s of delay on every byte, connections without a server: 200, 503 or 504, nothing twice, no restart needed',
    async run(h) {
      await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 100 });
      const ask = (prefix: string) =>
        Promise.all(
          Array.from({ length: 5 }, (_, index) => client.generate({ templateId, key: `${prefix}-${index}` })),
        );
      await h.backing.redis.client.call('CLIENT', 'PAUSE', '10000', 'ALL');
      const paused = await ask('paused');
      h.backing.redis.proxy.set({ delayMs: 3_000 });
      const slow = await ask('slow');
      h.backing.redis.proxy.set({ delayMs: 0 });
      h.backing.redis.proxy.halfOpenAll();
      const halfOpen = await ask('half-open');
      const statuses = Object.keys(tally([...paused, ...slow, ...halfOpen]));
      expect(
        statuses.every((status) => ['200', '503', '504'].includes(status)),
        `answers ${statuses.join(', ')}`,
      );
      const slowestMs = Math.max(...[...paused, ...slow, ...halfOpen].map(({ durationMs }) => durationMs));
      expect(slowestMs < 31_000, `the slowest answer took ${Math.round(slowestMs)} ms`);
      await until(
        'requests succeeding again',
        async () => (await client.generate({ templateId })).status === 200,
        60_000,
      );
      await h.settled();
      for (const prefix of ['paused', 'slow', 'half-open'])
        expectEqual(tally(await ask(prefix)), { 200: 5 }, `the same requests again (${prefix})`);
      const { succeeded = 0 } = await h.statuses(account.accountId);
      h.allowedUnanswered = 0;
      expect(succeeded >= 16, `${succeeded} documents made`);
    },
  },
  {
    id: 'R9',
    title: 'rate limiter without Redis',
    story: 'Each process counts for itself: the limit still holds, and credits are enforced by PostgreSQL',
    async run(h) {
      await h.start({ api: { env: { RATE_LIMIT_REQUESTS: '30', RATE_LIMIT_WINDOW_SECONDS: '60' } } });
      const client = await h.account({ credits: 5 });
      await h.backing.redis.proxy.refuse();
      const answers = await Promise.all(Array.from({ length: 40 }, () => client.call('GET', '/v1/account/quotas')));
      expectEqual(tally(answers), { 200: 30, 429: 10 }, 'the answers without Redis');
    },
  },
  {
    id: 'R10',
    title: 'the same job again after it was removed',
    story: 'The job of a finished document is added again, 50 times: nothing runs, nothing is charged',
    async run(h) {
      const { worker } = await h.start();
      const { client, account, templateId } = await h.owner(letter, { credits: 5 });
      expectEqual((await client.generate({ templateId })).status, 200, 'the answer');
      const [row] = await h.query<{ id: string }>('select id from generations where account_id = $1', [
        account.accountId,
      ]);
      const id = row?.id ?? '';
      const queues = createQueues(h.backing.redis.client, h.prefix, createLogger('silent', 'faults'));
      const countDone = (): number => worker.log().split(`"jobId":"${id}"`).length - 1;
      for (let run = 2; run <= h.repeats + 1; run++) {
        // A job that has not quite ended would not be added again.
        await until('the job having ended', async () => !(await queues.has('docx', id)), 20_000, 10);
        await queues.add('docx', id, { generationId: id, accountId: account.accountId, replyTo: null });
        await until('the job having run', () => countDone() >= run, 20_000, 10);
      }
      await queues.close();
      const [after] = await h.query('select status, attempts from generations where id = $1', [id]);
      expectEqual(after, { status: 'succeeded', attempts: 1 }, 'the document');
      expectEqual((await client.quotas()).docs, 4, 'the credits left');
    },
  },
];
