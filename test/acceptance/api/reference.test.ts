import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import type { OpenApi } from '../../support/client/api-contract.ts';
import { useService } from '../../support/client/service-under-test.ts';

const { anonymous, newClient, url } = await useService(inject('stack'));

/** Section 4 of the contract: the operations with their statuses. */
const contract: readonly [method: string, path: string, statuses: readonly number[]][] = [
  ['get', '/v1/templates', [200, 400]],
  ['post', '/v1/templates', [201, 400, 402, 409]],
  ['get', '/v1/templates/{id}', [200, 404]],
  ['put', '/v1/templates/{id}', [200, 400, 404]],
  ['delete', '/v1/templates/{id}', [204, 404]],
  ['get', '/v1/templates/{id}/content', [200, 404]],
  ['put', '/v1/templates/{id}/content', [200, 400, 404]],
  ['post', '/v1/templates/{id}/generate', [200, 400, 402, 404, 409, 504]],
  ['post', '/v1/templates/validate', [200, 400]],
  ['get', '/v1/assets', [200, 400]],
  ['post', '/v1/assets', [200, 201, 400, 402, 409]],
  ['get', '/v1/assets/{id}', [200, 404]],
  ['get', '/v1/assets/{id}/content', [200, 404]],
  ['delete', '/v1/assets/{id}', [204, 404]],
  ['get', '/v1/account/quotas', [200]],
  ['get', '/v1/account/key', [200]],
  ['get', '/v1/account/keys', [200, 400]],
  ['get', '/v1/deliveries', [200, 400]],
  ['get', '/v1/deliveries/{id}', [200, 404]],
  ['post', '/v1/deliveries/{id}/resend', [202, 400, 404, 409]],
];
const ofAll = [401, 429, 500, 503];

async function openApi(): Promise<OpenApi> {
  return (await anonymous.call('GET', '/openapi.json')).json();
}

test('/openapi.json is a valid OpenAPI 3.1 document', async () => {
  const answer = await anonymous.call('GET', '/openapi.json');
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(answer.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'Docmill' } });
  const validation = await new Validator().validate(answer.json<Record<string, unknown>>());
  expect(validation.errors).toBeUndefined();
  expect(validation.valid).toBe(true);
});

test.each(contract)('%s %s is described with each of its statuses', async (method, path, statuses) => {
  const operation = (await openApi()).paths[path]?.[method];
  expect(operation).toMatchObject({
    operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
    summary: expect.stringMatching(/\S/),
    security: [{ apiKey: [] }],
  });
  const described = Object.keys(operation?.responses ?? {}).map(Number);
  expect(described).toEqual(expect.arrayContaining([...statuses, ...ofAll]));
});

test('every POST documents the rejection of an invalid Idempotency-Key', async () => {
  const client = await newClient();
  const document = await openApi();
  const posts = Object.entries(document.paths).filter(([, operations]) => operations.post !== undefined);
  expect(posts.length).toBeGreaterThanOrEqual(3);
  for (const [path] of posts) {
    const address = path.replaceAll(/\{version\}/g, '1').replaceAll(/\{\w+\}/g, 'tpl_00000000000000000000000000');
    expectProblem(await client.call('POST', address, { headers: { 'Idempotency-Key': '' } }), 400, /Idempotency-Key/);
  }
});

test('every operation has a unique id, and every error response the error body', async () => {
  const document = await openApi();
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const names = operations.map((operation) => (operation as { operationId?: string }).operationId);
  expect(new Set(names).size).toBe(operations.length);
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const schema = { $ref: '#/components/schemas/Error' };
      if (Number(status) >= 400)
        expect(response.content).toEqual({ 'application/json': { schema, example: expect.anything() } });
    }
  }
});

test('the reference page and all its assets come from the service itself', async () => {
  const page = await anonymous.call('GET', '/docs');
  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(page.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'/);
  const html = page.bytes.toString('utf8');
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
  expect(links.length).toBeGreaterThan(2);
  for (const link of links) {
    expect(link).toMatch(/^\/(?!\/)/);
    const asset = await anonymous.call('GET', link);
    expect(asset.status).toBe(200);
    expect(asset.bytes.length).toBeGreaterThan(50);
  }
});

test('health needs no key, and reveals nothing else', async () => {
  expect((await anonymous.call('GET', '/healthz')).json()).toStrictEqual({ status: 'ok' });
  const ready = await anonymous.call('GET', '/readyz');
  expect(ready.status).toBe(200);
  expect(ready.json()).toMatchObject({ status: 'ready' });
  expect(ready.bytes.toString('utf8')).not.toMatch(/:\/\/|127\.0\.0\.1|\d{4,}/);
  expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200);
});
