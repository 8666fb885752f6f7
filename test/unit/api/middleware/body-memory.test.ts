import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { createRoundRobin } from '../../../../src/api/http/round-robin.ts';
import { bodyMemory } from '../../../../src/api/middleware/body-memory.ts';

/** Requests that hold memory until they are released. */
function newRequests(maxBytes: number) {
  const app = new Hono<ApiEnv>();
  const open: (() => void)[] = [];
  app.use(async (c, next) => {
    c.set('accountId', c.req.header('account') ?? '');
    await next();
  });
  app.use(bodyMemory(maxBytes, createRoundRobin(2)));
  app.post('/', async (c) => {
    for (const bytes of (c.req.header('bytes') ?? '').split(',')) c.get('bodyLease').take(Number(bytes));
    await new Promise<void>((resolve) => open.push(resolve));
    return c.text('done');
  });
  app.onError((error, c) => c.text(error.message, 503));
  return {
    /** Resolves to 200 once the memory is released, or to 503 at once. */
    async send(account: string, bytes: string): Promise<'held' | 'refused'> {
      const before = open.length;
      const answer = Promise.resolve(app.request('/', { method: 'POST', headers: { account, bytes } }));
      const refused = answer.then(({ status }) => (status === 503 ? ('refused' as const) : ('held' as const)));
      const held = (async () => {
        while (open.length === before) await new Promise((resolve) => setImmediate(resolve));
        return 'held' as const;
      })();
      return Promise.race([refused, held]);
    },
    async releaseAll(): Promise<void> {
      for (const release of open.splice(0)) release();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the memory of request bodies', () => {
  it('is never used up by one account, however many requests it sends', async () => {
    const requests = newRequests(100);
    const outcomes: string[] = [];
    for (let count = 0; count < 20; count++) outcomes.push(await requests.send('loud', '10'));
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(5);
    expect(await requests.send('quiet', '20')).toBe('held');
  });

  it('may be filled by a single body, whatever its parts', async () => {
    const requests = newRequests(100);
    expect(await requests.send('one', '40,40,20')).toBe('held');
    expect(await requests.send('two', '1')).toBe('refused');
  });

  it('is free again after the requests, also for the same account', async () => {
    const requests = newRequests(100);
    for (let count = 0; count < 5; count++) await requests.send('one', '10');
    expect(await requests.send('one', '10')).toBe('refused');
    await requests.releaseAll();
    for (let count = 0; count < 5; count++) expect(await requests.send('one', '10')).toBe('held');
  });
});
