import { setImmediate as nextRound } from 'node:timers/promises';
import { Hono } from 'hono';
import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { toErrorResponse } from '../../../../src/api/http/problem.ts';
import { readBody } from '../../../../src/api/http/read-body.ts';
import { authenticate } from '../../../../src/api/middleware/authenticate.ts';
import { requestLog } from '../../../../src/api/middleware/request-log.ts';
import { serve } from '../../../../src/api/server.ts';
import type { KeyHolder } from '../../../../src/shared/domain/api-keys/find-key.ts';
import { createLogger } from '../../../../src/shared/logger.ts';
import { createStages } from '../../../../src/shared/stages.ts';
import { connectRaw } from '../../../support/client/raw-http.ts';

const holder: KeyHolder = { accountId: 'acc_1', keyId: 'key_1', scopes: null, isTest: false, isSuspended: false };
/** What the database knows about each key, and how often each was looked up. */
const holders = new Map<string, KeyHolder | Error>();
const lookups = new Map<string, number>();
/** Bodies that arrived completely. */
const received: string[] = [];
const waiting = new Map<string, () => void>();

const keys = {
  peek: () => undefined,
  wasLive: () => true,
  async find(key: string) {
    lookups.set(key, (lookups.get(key) ?? 0) + 1);
    const found = holders.get(key);
    if (found instanceof Error) throw found;
    return found;
  },
  recheckMs: () => 5,
  counts: () => ({ hits: 0, misses: 0 }),
};

const app = new Hono<ApiEnv>();
app.onError((error, c) => toErrorResponse(error, c));
app.use(
  requestLog({
    logger: createLogger('silent', 'test'),
    metrics: { observe: () => undefined },
    stages: createStages(new Registry()),
  }),
  authenticate(keys),
);
app.get('/events', () => {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await nextRound();
      controller.enqueue(Buffer.from('event\n\n'));
    },
  });
  return new Response(body);
});
app.post('/upload', async (c) => {
  const lease = { take: () => undefined, schedule: (resume: () => void) => resume() };
  received.push(String(await readBody(c.env.incoming, 100, lease)));
  return c.text('received');
});
app.post('/document', async (c) => {
  await new Promise<void>((resolve) => waiting.set(c.get('keyId'), resolve));
  return c.text('document');
});

const service = await serve({
  host: '127.0.0.1',
  port: 0,
  maxConnections: 100,
  unreadTimeoutMs: 60_000,
  onRefused: () => undefined,
  callerOf: () => 'client',
  isLargeUpload: () => false,
  fetch: app.fetch,
});
afterAll(() => service.drain(0));
const url = `http://127.0.0.1:${(service.address as { readonly port: number }).port}`;

let keyCount = 0;
const newKey = (): string => {
  keyCount += 1;
  const key = `key_${keyCount}`;
  holders.set(key, { ...holder, keyId: key });
  return key;
};
const follow = async (key: string) => {
  const response = await fetch(`${url}/events`, { headers: { Authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  return response;
};
const pastLookups = async (key: string, count: number) => {
  const enough = (lookups.get(key) ?? 0) + count;
  await expect.poll(() => lookups.get(key)).toBeGreaterThanOrEqual(enough);
};

test.each<[string, (key: string) => void]>([
  ['its key is revoked', (key) => holders.delete(key)],
  ['its account is suspended', (key) => holders.set(key, { ...holder, isSuspended: true })],
])('a stream is cut off when %s, and streams of other keys go on', async (_what, end) => {
  const [key, other] = [newKey(), newKey()];
  const [stream, otherStream] = [await follow(key), await follow(other)];
  end(key);
  await expect(stream.text()).rejects.toThrow();
  await pastLookups(other, 2);
  const reader = otherStream.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
});

test('a stream goes on while keys cannot be looked up', async () => {
  const key = newKey();
  const reader = (await follow(key)).body?.getReader();
  holders.set(key, new Error('the database is down'));
  await pastLookups(key, 3);
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
});

test('a closed stream no longer looks its key up', async () => {
  const [key, other] = [newKey(), newKey()];
  await (await follow(key)).body?.cancel();
  const open = await follow(other);
  await expect
    .poll(async () => {
      const before = lookups.get(key);
      await pastLookups(other, 3);
      return lookups.get(key) === before;
    })
    .toBe(true);
  await open.body?.cancel();
});

test('a body that still arrives when its key is revoked is not accepted', async () => {
  const key = newKey();
  const connection = await connectRaw(url);
  const head = ['POST /upload HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, 'Content-Length: 8'];
  await connection.send(`${head.join('\r\n')}\r\n\r\n`, 'half');
  await pastLookups(key, 1);
  holders.delete(key);
  await connection.closed();
  expect(received).toEqual([]);
});

test('a document that was requested before its key was revoked is sent', async () => {
  const key = newKey();
  const response = fetch(`${url}/document`, { method: 'POST', headers: { Authorization: `Bearer ${key}` } });
  await expect.poll(() => waiting.has(key)).toBe(true);
  holders.delete(key);
  await pastLookups(key, 2);
  waiting.get(key)?.();
  expect(await (await response).text()).toBe('document');
});
