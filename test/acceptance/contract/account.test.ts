import { beforeAll, describe, expect, inject, test } from 'vitest';
import { docxType, expectProblem } from '../../support/client/api-client.ts';
import { connectRaw } from '../../support/client/raw-http.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { letter } from '../api/samples.ts';
import { expectSuccess, operationsOf } from './contract-client.ts';

/** The sentences of the contract about quotas, authentication, errors, limits and versions, by its numbers of sections. */
const { newClient, clientOf, anonymous, url } = await useService(inject('stack'));
const file = letter('Dear {name}');
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('letter.docx', file)).id;
});

describe('2.5 Quotas', () => {
  test('have allocated and remaining, each with subscriptions, credits and their total, in docs and templates', async () => {
    const owner = await newClient({ docs: 7, templates: 3, credits: [{ docs: 5, templates: 2 }] });
    const allocated = {
      subscriptions: { docs: 7, templates: 3 },
      credits: { docs: 5, templates: 2 },
      total: { docs: 12, templates: 5 },
    };
    expect(await owner.quotas()).toStrictEqual({ allocated, remaining: allocated });
    const template = await owner.template('letter.docx', file);
    await owner.generate(template.id, { data: {} });
    expect(await owner.quotas()).toStrictEqual({
      allocated,
      remaining: {
        subscriptions: { docs: 6, templates: 2 },
        credits: { docs: 5, templates: 2 },
        total: { docs: 11, templates: 4 },
      },
    });
  });
});

describe('8 Quotas of documents and templates', () => {
  test('the allowance of the subscription is used first, then credits', async () => {
    const owner = await newClient({ docs: 1, templates: 1, credits: [{ docs: 1, templates: 0 }] });
    const template = await owner.template('letter.docx', file);
    for (const left of [
      { subscriptions: 0, credits: 1 },
      { subscriptions: 0, credits: 0 },
    ]) {
      expectSuccess(await owner.generate(template.id, { data: {} }));
      const { subscriptions, credits } = (await owner.quotas()).remaining;
      expect({ subscriptions: subscriptions.docs, credits: credits.docs }).toEqual(left);
    }
  });

  test('the quota of templates is for their creation: a re-upload needs none', async () => {
    const owner = await newClient({ docs: 1, templates: 1 });
    const { id: only } = await owner.template('letter.docx', file);
    for (const text of ['Hello {name}', 'Good day {name}'])
      expectSuccess(await owner.reupload(only, 'letter.docx', letter(text)));
    expect((await owner.quotas()).remaining.total.templates).toBe(0);
    expectProblem(await owner.upload('letter.docx', file), 402);
  });
});

describe('5 Authentication', () => {
  const operations = operationsOf(`tpl_${'0'.repeat(26)}`, file);
  test.each(operations)('%s without a valid key gets 401', async (_name, method, path, options) => {
    expectProblem(await anonymous.call(method, path, options), 401);
    expectProblem(await clientOf('unknown').call(method, path, options), 401);
  });

  test('the key is accepted in Authorization: Bearer only', async () => {
    for (const headers of [
      { Authorization: client.apiKey },
      { Authorization: `Basic ${client.apiKey}` },
      { 'X-API-Key': client.apiKey },
    ])
      expectProblem(await anonymous.call('GET', '/v1/templates', { headers }), 401);
    const headers = { Authorization: `Bearer ${client.apiKey}` };
    expect((await anonymous.call('GET', '/v1/templates', { headers })).status).toBe(200);
  });
});

describe('7 Errors, and the limits of 8', () => {
  /** Each error of the tests' clients is also compared with the contract's shape, in `expectProblemShape`. */
  test('an error has error.status, error.message and, where there is more to say, error.details', async () => {
    const plain = (await client.call('GET', '/v1/templates/unknown')).json();
    expect(plain).toStrictEqual({ error: { status: 404, message: expect.stringMatching(/\S/) } });
    const detailed = (await client.generate(id, { data: 1 })).json();
    const error = { status: 400, message: expect.stringMatching(/\S/), details: expect.any(Array) };
    expect(detailed).toStrictEqual({ error });
  });

  test('404: an unknown template is not found by any operation on it', async () => {
    const unknown = `tpl_${'0'.repeat(26)}`;
    for (const [, method, path, options] of operationsOf(unknown, file).filter((each) => each[2].includes(unknown)))
      expectProblem(await client.call(method, path, options), 404);
  });

  test('402: a used-up quota of documents or templates, in subscription and credits together', async () => {
    const poor = await newClient({ docs: 1, templates: 1, credits: [{ docs: 1, templates: 1 }] });
    const template = await poor.template('a.docx', file);
    await poor.template('b.docx', file);
    for (let made = 0; made < 2; made++) expect((await poor.generate(template.id, { data: {} })).status).toBe(200);
    expectProblem(await poor.generate(template.id, { data: {} }), 402);
    expectProblem(await poor.upload('c.docx', file), 402);
  });

  test('429: a request beyond the rate limit; other accounts are served, and nothing is charged', async () => {
    const [busy, other] = [await newClient(), await newClient()];
    const template = await busy.template('a.docx', file);
    const limit = 1000;
    // No operation has this path, so that even a slow machine responds to more requests than the limit in one window.
    const request = `GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${busy.apiKey}\r\n\r\n`;
    const spend = async (requests: number): Promise<void> => {
      const connection = await connectRaw(url);
      await connection.send(request.repeat(requests));
      for (let sent = 0; sent < requests; sent++) await connection.answer();
      connection.close();
    };
    // A window may end in between.
    let refused = await busy.generate(template.id, { data: [] });
    while (refused.status !== 429) {
      await Promise.all(Array.from({ length: 9 }, () => spend((limit - 1) / 9)));
      await busy.generate(template.id, { data: [] });
      refused = await busy.generate(template.id, { data: [] });
    }
    expectProblem(refused, 429, /1000 requests in 10 seconds/);
    const waitSeconds = Number(refused.headers.get('Retry-After'));
    expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${waitSeconds}`);
    expect((await other.call('GET', '/v1/templates')).status).toBe(200);
    const isOver = async () => (await busy.call('GET', '/v1/templates')).status === 200;
    await expect.poll(isOver, { interval: 500 }).toBe(true);
    expect((await busy.quotas()).remaining.total).toStrictEqual({ docs: 1000, templates: 49 });
  });

  test('every operation documents 401, 402, 404, 429 and 500 as far as it can return them, with this shape', async () => {
    interface Documented {
      readonly paths: Record<string, Record<string, { readonly responses: Record<string, unknown> }>>;
    }
    const { paths } = (await anonymous.call('GET', '/openapi.json')).json<Documented>();
    for (const [name, method, path] of operationsOf('{id}', file)) {
      const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
      for (const status of ['401', '429', '500', ...(path.includes('{id}') ? ['404'] : [])])
        expect(Object.keys(responses), name).toContain(status);
    }
  });
});

describe('1 and 9: the API as a whole', () => {
  const operations = () => operationsOf(id, file).filter(([name]) => name !== 'Delete Template');

  test('responses are JSON, except for generated documents and template downloads', async () => {
    for (const [name, method, path, options] of operations()) {
      const { headers } = expectSuccess(await client.call(method, path, options));
      const isFile = ['Generate Document', 'Download Template'].includes(name);
      expect(headers.get('Content-Type')?.split(';')[0], name).toBe(isFile ? docxType : 'application/json');
    }
  });

  test('all operations are under /v1, and nowhere else', async () => {
    for (const [name, method, path, options] of operations()) {
      expect((await client.call(method, path.replace('/v1', ''), options)).status, name).toBe(404);
      expect((await client.call(method, path.replace('/v1', '/v2'), options)).status, name).toBe(404);
    }
  });
});
