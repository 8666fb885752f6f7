import { expect, inject, test } from 'vitest';
import { type Answer, expectProblem } from '../../support/client/api-client.ts';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient, anonymous, url } = await useService(inject('stack'));
const limit = 1000;
const windowSeconds = 10;

function rateOf({ headers }: Answer): { readonly remaining: number; readonly resetSeconds: number } {
  expect(headers.get('RateLimit-Policy')).toBe(`"default";q=${limit};w=${windowSeconds}`);
  const match = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '');
  return { remaining: Number(match?.[1]), resetSeconds: Number(match?.[2]) };
}

/** Pipelined requests on one connection, so that even a busy machine completes them within the window. */
async function spend(apiKey: string, requests: number): Promise<void> {
  const connection = await connectRaw(url);
  const request = `GET /v1/templates HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
  await connection.send(request.repeat(requests));
  for (let sent = 0; sent < requests; sent++) expect((await connection.answer()).status).toBe(200);
  connection.close();
}

/** Retries with new accounts until all responses lie within the first window; a busy machine may take longer than that. */
async function withinWindow<T>(work: (client: TestClient) => Promise<T>): Promise<T> {
  for (;;) {
    const client = await newClient();
    const startedAt = performance.now();
    const found = await work(client);
    if (performance.now() - startedAt < windowSeconds * 1_000) return found;
  }
}

test('every response to an account shows what is left of the limit, rejections too', async () => {
  const rates = await withinWindow(async (client) => {
    const { id } = await client.template('a.docx', letter('{x}'));
    const answers = [
      await client.call('GET', '/v1/templates'),
      await client.call('GET', `/v1/templates/${id}/content`),
      await client.generate(id, { data: {} }),
      await client.generate(id, { data: [] }),
      await client.call('GET', '/v1/nothing'),
      await client.call('DELETE', `/v1/templates/${id}`),
    ];
    return answers.map(rateOf);
  });
  for (const { resetSeconds } of rates) {
    expect(resetSeconds).toBeGreaterThanOrEqual(1);
    expect(resetSeconds).toBeLessThanOrEqual(windowSeconds);
  }
  expect(rates.map(({ remaining }) => limit - remaining)).toEqual([2, 3, 4, 5, 6, 7]);
  expect((await anonymous.call('GET', '/v1/templates')).headers.get('RateLimit')).toBeNull();
});

test('beyond the limit: 429 with the time to wait, for this account only, and nothing is charged', async () => {
  const other = await newClient();
  const { client, refused, later, ofOther } = await withinWindow(async (spender) => {
    const { id } = await spender.template('a.docx', letter('{x}'));
    await Promise.all(Array.from({ length: 9 }, () => spend(spender.apiKey, (limit - 1) / 9)));
    return {
      client: spender,
      refused: await spender.generate(id, { data: {} }),
      later: [await spender.upload('b.docx', letter('{x}')), await spender.call('GET', '/v1/templates')],
      ofOther: await other.call('GET', '/v1/templates'),
    };
  });
  expectProblem(refused, 429, /1000 requests in 10 seconds/);
  const { remaining, resetSeconds } = rateOf(refused);
  expect(remaining).toBe(0);
  expect(Number(refused.headers.get('Retry-After'))).toBe(resetSeconds);
  for (const answer of later) expectProblem(answer, 429);
  expect(ofOther.status).toBe(200);

  const isOver = async () => (await client.call('GET', '/v1/templates')).status === 200;
  await expect.poll(isOver, { timeout: (resetSeconds + 10) * 1_000, interval: 500 }).toBe(true);
  expect((await client.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 49 });
  expect((await client.call('GET', '/v1/templates')).json<unknown[]>()).toHaveLength(1);
});
