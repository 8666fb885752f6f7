import { expect, test } from 'vitest';
import { expectProblem } from '../../../support/client/api-client.ts';
import { admitted, startApplication } from '../application.ts';

const { client, anonymous } = await startApplication();

test.each([
  '/v1',
  '/v1/',
  '/v2/templates',
  '/V1/templates',
  '/v1//templates',
  '/v1/template',
  '/v1/Templates',
  '/v1/templates;x=1',
  '/v1/templates/x/content/more',
  '/v1/account',
  '/v1/account/quotas/1',
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/docs/reference.js',
  '//v1/templates',
])('GET %s is not an operation', async (path) => {
  expectProblem(await client.call('GET', path), 404);
});

test('a path with a trailing slash is not found, and the error names the path without it', async () => {
  const known = 'There is no operation GET /v1/templates/. Leave out the slash at the end.';
  expectProblem(await client.call('GET', '/v1/templates/'), 404, known);
  expectProblem(await client.call('GET', '/v1/nothing/'), 404, /^There is no operation GET \/v1\/nothing\/$/);
});

test('the error shows only a part of a long path', async () => {
  const { message } = expectProblem(await client.call('GET', `/v1/${'a'.repeat(1_000)}`), 404);
  expect(message).toBe(`There is no operation GET /v1/${'a'.repeat(196)}`);
});

test.each([
  ['PATCH', '/v1/templates', 'GET, HEAD, OPTIONS, POST, PUT'],
  ['DELETE', '/v1/templates', 'GET, HEAD, OPTIONS, POST, PUT'],
  ['PATCH', '/v1/templates/no-such-id', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ['POST', '/v1/templates/x/content', 'GET, HEAD, OPTIONS, PUT'],
  ['GET', '/v1/templates/x/generate', 'OPTIONS, POST'],
  ['HEAD', '/v1/templates/x/generate', 'OPTIONS, POST'],
  ['POST', '/v1/account/quotas', 'GET, HEAD, OPTIONS'],
  ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
])('the response to %s %s lists the methods that exist', async (method, path, allow) => {
  const answer = await client.call(method, path);
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, allow]);
  expect(answer.headers.get('Error-Code')).toBe('method_not_allowed');
  if (method !== 'HEAD') expectProblem(answer, 405, `${method} is not possible here. Possible: ${allow}`);
});

test('OPTIONS lists the methods of a path', async () => {
  const answer = await client.call('OPTIONS', '/v1/templates/x');
  expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
  expect(answer.headers.get('Allow')).toBe('DELETE, GET, HEAD, OPTIONS, PUT');
  expectProblem(await client.call('OPTIONS', '/v1/nothing'), 404);
});

test('HEAD has the same length as GET for JSON, and no body', async () => {
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/v1/templates']) {
    const [head, whole] = [await client.call('HEAD', path), await client.call('GET', path)];
    expect([head.status, head.bytes.length, head.headers.get('Content-Length')], path).toEqual([
      whole.status,
      0,
      String(whole.bytes.length),
    ]);
  }
});

test('a known path, a wrong method and an unknown path get the same response without a key', async () => {
  const seen = new Set<string>();
  for (const [method, path] of [
    ['GET', '/v1/templates'],
    ['PATCH', '/v1/templates'],
    ['OPTIONS', '/v1/templates'],
    ['GET', '/v1/templates/'],
    ['GET', '/v1/nothing'],
  ] as const) {
    const { status, headers, bytes } = await anonymous.call(method, path);
    seen.add(JSON.stringify([status, headers.get('Allow'), headers.get('WWW-Authenticate'), bytes.toString()]));
  }
  expect([...seen]).toEqual([expect.stringMatching(/^\[401,null,"Bearer"/)]);
  expect((await client.call('GET', '/v1/templates')).status).toBe(admitted);
});
