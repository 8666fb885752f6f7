import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { ApiEnv } from '../../../src/api/http/api-env.ts';
import { readJson } from '../../../src/api/http/read-json.ts';

async function responseTo(body: string): Promise<string> {
  const app = new Hono<ApiEnv>();
  app.post('/', async (c) => {
    c.set('bodyLease', { take: () => undefined });
    return c.json((await readJson(c)).value);
  });
  app.onError((error, c) => c.text(error.message, 400));
  const incoming = Object.assign(Readable.from([Buffer.from(body)]), { headers: {} });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const response = await app.request('/', init, { incoming: incoming as IncomingMessage });
  return response.text();
}

it.each([
  ['{"a":1,}', 7],
  ['{"name":"Zoë 😀",}', Buffer.byteLength('{"name":"Zoë 😀",')],
  ['["é', Buffer.byteLength('["é')],
  ['nul', 3],
])('the message about %s counts bytes: the error is at byte %i', async (body, offset) => {
  expect(await responseTo(body)).toBe(`The request body is not valid JSON (at byte ${offset})`);
});

it('a valid body is parsed', async () => {
  expect(await responseTo('{"name":"Zoë"}')).toBe('{"name":"Zoë"}');
});
