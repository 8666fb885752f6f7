import { Hono } from 'hono';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { createRateLimiter, rateLimit } from '../../../../src/api/middleware/rate-limit.ts';
import { AppError } from '../../../../src/shared/errors.ts';
import type { Redis } from '../../../../src/shared/queue/redis.ts';
import { createStages, ownStages } from '../../../../src/shared/stages.ts';

/** Without Redis, each process counts for itself. */
const redis = { status: 'end', options: {} } as unknown as Redis;
const limiterOf = (requests: number, prefix: string) =>
  createRateLimiter(redis, { requests, windowSeconds: 3_600, prefix });

function newApp(requests = 3) {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set('accountId', c.req.header('account') ?? '');
    c.set('isTest', c.req.header('test') !== undefined);
    c.set('stages', ownStages(createStages(new Registry())));
    await next();
  });
  app.use(rateLimit({ limiter: limiterOf(requests, 'live'), testLimiter: limiterOf(1, 'test') }));
  app.get('/', (c) => c.text('done'));
  app.onError((error, c) => {
    const { code, message, retryAfterSeconds } = error as AppError;
    return error instanceof AppError ? c.json({ code, message, retryAfterSeconds }, 429) : c.text(String(error), 500);
  });
  return async (headers: Readonly<Record<string, string>>) => {
    const answer = await app.request('/', { headers });
    const [policy, rate] = ['RateLimit-Policy', 'RateLimit'].map((name) => answer.headers.get(name));
    return { status: answer.status, policy, rate, text: await answer.text() };
  };
}

test('every response shows what is left of the limit; only the account that exceeds it has to wait', async () => {
  const send = newApp();
  for (const left of [2, 1, 0]) {
    const { status, policy, rate } = await send({ account: 'b' });
    expect([status, policy]).toEqual([200, '"default";q=3;w=3600']);
    expect(rate).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`));
  }
  const refused = await send({ account: 'b' });
  expect([refused.status, refused.policy]).toEqual([429, '"default";q=3;w=3600']);
  const [, resetSeconds] = /^"default";r=0;t=(\d+)$/.exec(refused.rate ?? '') ?? [];
  expect(JSON.parse(refused.text)).toEqual({
    code: 'rate_limited',
    message: 'Rate limit exceeded: 3 requests in 3600 seconds',
    retryAfterSeconds: Number(resetSeconds),
  });
  expect((await send({ account: 'c' })).status).toBe(200);
});

test('requests with test keys have a limit of their own', async () => {
  const send = newApp();
  expect(await send({ account: 'b', test: '1' })).toMatchObject({ status: 200, policy: '"test";q=1;w=3600' });
  expect((await send({ account: 'b', test: '1' })).status).toBe(429);
  expect((await send({ account: 'b' })).status).toBe(200);
});

test('the service sends no header and refuses nothing when there is no limit', async () => {
  const send = newApp(0);
  for (let i = 0; i < 5; i++)
    expect(await send({ account: 'b' })).toMatchObject({ status: 200, policy: null, rate: null });
});
