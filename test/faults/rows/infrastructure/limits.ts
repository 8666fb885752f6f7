import { letter } from '../../client/templates.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

export const limitRows: readonly Row[] = [
  {
    id: 'R7',
    title: 'allkeys-lru configured',
    story: 'API and worker refuse to start and name the setting',
    async run(h) {
      const { client: redis } = h.backing.redis;
      try {
        await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
        const options = { isAwaited: false };
        for (const process of await Promise.all([h.startApi(options), h.startWorker(options)])) {
          process.isExpectedToEnd = true;
          const exit = await until(`${process.spec.name} ending`, () => process.exit);
          expectEqual(exit.code, 1, `the ending of ${process.spec.name}`);
          expect(process.log().includes('maxmemory-policy allkeys-lru'), 'the log does not name the setting');
        }
      } finally {
        await redis.config('SET', 'maxmemory-policy', 'noeviction');
      }
    },
  },
  {
    id: 'B4',
    title: 'more jobs than a queue accepts',
    story:
      'Without a worker: 503 with Retry-After beyond the depth, for callers that wait and others; then all is produced',
    async run(h) {
      const env = { QUEUE_DEPTH_LIMIT: '12' };
      const { worker } = await h.start({ api: { env } });
      const owner = await h.owner(letter, { credits: 1_000 });
      const { client, account, templateId } = owner;
      await worker.kill();
      const headers = { Prefer: 'respond-async', 'Content-Type': 'application/json' };
      const body = JSON.stringify({ data: { canary: account.canary, order: 'later' } });
      let accepted = 0;
      // The API polls the queue once a second.
      await until('a caller beyond the depth', async () => {
        const { status } = await client.call('POST', `/v1/templates/${templateId}/generate`, { headers, body });
        if (status === 202) accepted += 1;
        return status === 503;
      });
      expect(accepted >= 12, `only ${accepted} requests were accepted`);
      h.allowedUnanswered = accepted;
      expectEqual((await client.generate(owner)).status, 503, 'the answer to a caller that waits');
      await h.startWorker();
      await h.settled();
      await h.expectCharged(owner, { succeeded: accepted }, 1_000 - accepted);
    },
  },
];
