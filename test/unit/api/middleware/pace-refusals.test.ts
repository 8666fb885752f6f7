import { Hono } from 'hono';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { paceRefusals } from '../../../../src/api/middleware/pace-refusals.ts';

const intervalMs = 40;
const maxDelayMs = 200;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Sends requests of accounts at the same time, and returns the milliseconds until each response. */
async function timesOf(requests: readonly { readonly account: string; readonly status: number }[]): Promise<number[]> {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set('accountId', c.req.header('account') ?? '');
    await next();
  });
  app.use(paceRefusals({ intervalMs, maxDelayMs }));
  app.get('/', (c) => new Response('', { status: Number(c.req.header('status')) }));
  const startedAt = performance.now();
  const times = Promise.all(
    requests.map(async ({ account, status }) => {
      const response = await app.request('/', { headers: { account, status: String(status) } });
      expect(response.status).toBe(status);
      return performance.now() - startedAt;
    }),
  );
  await vi.advanceTimersByTimeAsync(10 * maxDelayMs);
  return await times;
}

it("an account's refusals are sent one after another, with a bounded delay", async () => {
  const times = await timesOf(
    Array.from({ length: 8 }, (_, index) => ({ account: 'b', status: index % 2 ? 429 : 503 })),
  );
  for (const [index, ms] of times.entries()) {
    const leastMs = index * intervalMs < maxDelayMs ? index * intervalMs : maxDelayMs / 2;
    expect(ms).toBeGreaterThan(leastMs - 2);
  }
});

it('other accounts and successful responses do not wait', async () => {
  const refusals = Array.from({ length: 8 }, () => ({ account: 'b', status: 429 }));
  const times = await timesOf([...refusals, { account: 'c', status: 503 }, { account: 'b', status: 200 }]);
  const last = Math.max(...times.slice(0, refusals.length));
  expect(last).toBeGreaterThanOrEqual(maxDelayMs - intervalMs);
  for (const ms of times.slice(refusals.length)) expect(ms).toBe(0);
});

it('refusals beyond the bound are spread, so that the client does not retry them all at once', async () => {
  const times = await timesOf(Array.from({ length: 60 }, () => ({ account: 'b', status: 429 })));
  const beyond = times.slice(maxDelayMs / intervalMs + 1).sort((one, other) => one - other);
  expect((beyond.at(-1) ?? 0) - (beyond[0] ?? 0)).toBeGreaterThan(maxDelayMs / 4);
});
