import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { connectRaw } from '../../support/client/raw-http.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient, anonymous, url } = await useService(inject('stack'));
const limit = 1000;

test('every response to an account, even a rejection, shows what is left of the limit', async () => {
  const client = await newClient();
  const { id } = await client.template('a.docx', letter('{x}'));
  const first = await (await newClient()).call('GET', '/v1/templates');
  expect(first.headers.get('RateLimit')).toMatch(/^"default";r=999;/);
  const answers = [
    await client.call('GET', `/v1/templates/${id}/content`),
    await client.generate(id, { data: {} }),
    await client.generate(id, { data: [] }),
    await client.call('GET', '/v1/nothing'),
  ];
  for (const { headers } of answers) {
    expect(headers.get('RateLimit-Policy')).toBe(`"default";q=${limit};w=10`);
    const [, left, resetSeconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '') ?? [];
    expect(Number(left)).toBeLessThan(limit);
    expect(Number(resetSeconds)).toBeLessThanOrEqual(10);
  }
  expect((await anonymous.call('GET', '/v1/templates')).headers.get('RateLimit')).toBeNull();
});

test('a request beyond the limit gets 429 with the time to wait; other accounts are served, and nothing is charged', async () => {
  const [client, other] = [await newClient(), await newClient()];
  const { id } = await client.template('a.docx', letter('{x}'));
  // No operation has this path, so that even a slow machine responds to more requests than the limit in one window.
  const request = `GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.apiKey}\r\n\r\n`;
  const spend = async (requests: number): Promise<void> => {
    const connection = await connectRaw(url);
    await connection.send(request.repeat(requests));
    for (let sent = 0; sent < requests; sent++) await connection.answer();
    connection.close();
  };
  // A window may end in between.
  let refused = await client.generate(id, { data: [] });
  while (refused.status !== 429) {
    await Promise.all(Array.from({ length: 9 }, () => spend((limit - 1) / 9)));
    await client.generate(id, { data: [] });
    refused = await client.generate(id, { data: [] });
  }
  expectProblem(refused, 429, /1000 requests in 10 seconds/);
  const waitSeconds = Number(refused.headers.get('Retry-After'));
  expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${waitSeconds}`);
  expect((await other.call('GET', '/v1/templates')).status).toBe(200);
  const isOver = async () => (await client.call('GET', '/v1/templates')).status === 200;
  await expect.poll(isOver, { interval: 500 }).toBe(true);
  expect((await client.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 49 });
});
