import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../harness/client.ts';
import { tally } from '../harness/harness.ts';
import { percentile } from '../harness/measure.ts';
import { letter } from '../harness/templates.ts';
import { expect, expectEqual } from '../harness/until.ts';
import type { Row } from '../row.ts';

/** Asks `times` times, `width` at once. */
async function flood<T>(times: number, width: number, ask: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < times) results.push(await ask(next++));
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}

/** A key of the right form that nobody has. */
function wrongKey(): string {
  const text = randomBytes(28).toString('hex');
  return `dts_${text.slice(0, 16)}_${text.slice(16)}`;
}

function slowest(answers: readonly Answer[], share = 0.95): number {
  return percentile(
    answers.map(({ durationMs }) => durationMs),
    share,
  );
}

export const hostileRequestRows: readonly Row[] = [
  {
    id: 'A6',
    title: '10 000 wrong keys',
    story:
      'From one address: 401, then 429 that says when; who has a live key at the same address is served all the while; no log holds a key',
    async run(h) {
      await h.start({ api: { env: { LOG_LEVEL: 'debug' } } });
      const { client, templateId } = await h.owner(letter, { credits: 100 });
      let isOver = false;
      const attack = flood(10_000, 40, () =>
        client.call('GET', '/v1/templates', { headers: { Authorization: `Bearer ${wrongKey()}` } }),
      ).finally(() => {
        isOver = true;
      });
      const served: Answer[] = [];
      while (!isOver || served.length < 20) {
        served.push(await client.generate({ templateId }));
        await delay(200);
      }
      const counts = tally(await attack);
      expectEqual(Object.keys(counts), ['401', '429'], 'the answers to wrong keys');
      expect((counts[401] ?? 0) < 1_000, `${counts[401]} wrong keys were looked up`);
      expectEqual(tally(served), { 200: served.length }, 'the answers to the live key');
      expect(slowest(served) < 2_000, `the live key waits ${Math.round(slowest(served))} ms`);
    },
  },
  {
    id: 'A8',
    title: 'five times the rate limit',
    story:
      'From one account: 429 with RateLimit and Retry-After beyond the limit, without a charge; another account does not notice',
    async run(h) {
      await h.start({ api: { env: { RATE_LIMIT_REQUESTS: '100', RATE_LIMIT_WINDOW_SECONDS: '60' } } });
      const greedy = await h.owner(letter, { credits: 1_000 });
      const other = await h.owner(letter, { credits: 100 });
      const [answers, calm] = await Promise.all([
        flood(500, 20, () => greedy.client.generate(greedy)),
        flood(50, 1, () => other.client.generate(other)),
      ]);
      expectEqual(tally(answers), { 200: 99, 429: 401 }, 'the answers beyond the limit');
      expectEqual(tally(calm), { 200: 50 }, 'the answers of the other account');
      expect(slowest(calm) < 2_000, `the other account waits ${Math.round(slowest(calm))} ms`);
      for (const { headers } of answers.filter(({ status }) => status === 429)) {
        const reset = /^"default";r=0;t=(\d+)$/.exec(headers.get('RateLimit') ?? '')?.[1];
        expectEqual(headers.get('RateLimit-Policy'), '"default";q=100;w=60', 'the policy');
        expectEqual(headers.get('Retry-After'), reset ?? 'a RateLimit without time', 'the time to wait');
      }
      expectEqual(await h.statuses(greedy.account.accountId), { succeeded: 99 }, 'the documents');
    },
  },
];
