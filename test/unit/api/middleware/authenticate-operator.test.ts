import { expect, test } from 'vitest';
import { adminOperations } from '../../../../src/api/app.ts';
import { allOperatorScopes } from '../../../../src/shared/domain/operators/operator-scopes.ts';
import { expectProblem } from '../../../support/client/api-client.ts';
import { admitted, startApplication } from '../application.ts';

const { url, anonymous, clientOf } = await startApplication(
  { account: {} },
  {
    operator: {},
    ...Object.fromEntries(allOperatorScopes.map((scope) => [scope, { scopes: [scope] }])),
    here: { addressRanges: ['127.0.0.0/8', '::1'] },
    ending: { expiresAt: new Date('2090-01-01T00:00:00Z') },
    elsewhere: { addressRanges: ['203.0.113.0/24'] },
  },
);

/** Used only by the test about guessed keys. */
const { clientOf: of } = await startApplication({}, { operator: {} });

const publicPort = await startApplication({ account: {} }, { operator: {} }, 'public');
const ownPort = await startApplication({ account: {} }, { operator: {} }, 'admin');

/** The scope that each operation needs. Add a new operation here. */
const scopes: Readonly<Record<string, string>> = {
  'post /v1/admin/accounts': 'accounts:write',
  'get /v1/admin/accounts': 'accounts:read',
  'get /v1/admin/accounts/{id}': 'accounts:read',
  'post /v1/admin/accounts/{id}/suspend': 'accounts:write',
  'post /v1/admin/accounts/{id}/resume': 'accounts:write',
  'put /v1/admin/accounts/{id}/email-limits': 'accounts:write',
  'put /v1/admin/accounts/{id}/approval': 'accounts:write',
  'put /v1/admin/accounts/{id}/batch-weight': 'accounts:write',
  'get /v1/admin/accounts/{id}/usage': 'accounts:read',
  'get /v1/admin/accounts/{id}/deliveries': 'accounts:read',
  'put /v1/admin/accounts/{id}/subscription': 'billing:write',
  'post /v1/admin/accounts/{id}/credits': 'billing:write',
  'put /v1/admin/keys/{id}/budget': 'billing:write',
  'post /v1/admin/accounts/{id}/keys': 'keys:write',
  'get /v1/admin/accounts/{id}/keys': 'accounts:read',
  'post /v1/admin/keys/{id}/rotate': 'keys:write',
  'post /v1/admin/keys/{id}/revoke': 'keys:write',
  'get /v1/admin/queues': 'operations:read',
  'get /v1/admin/busiest-accounts': 'operations:read',
  'get /v1/admin/pauses': 'operations:read',
  'post /v1/admin/pause': 'operations:write',
  'post /v1/admin/resume': 'operations:write',
  'get /v1/admin/workers': 'operations:read',
  'post /v1/admin/workers/drain': 'operations:write',
  'post /v1/admin/retry': 'operations:write',
  'get /v1/admin/quarantine': 'operations:read',
  'post /v1/admin/quarantine/lift': 'operations:write',
  'put /v1/admin/templates/{id}/engine': 'operations:write',
  'post /v1/admin/webhooks/reseal': 'operations:write',
  'post /v1/admin/accounts/{id}/erase': 'erasure:write',
  'post /v1/admin/erasures': 'erasure:write',
  'get /v1/admin/erasures': 'erasure:write',
  'get /v1/admin/erasures/{id}': 'erasure:write',
  'get /v1/admin/audit': 'audit:read',
  'get /v1/admin/accounts/{id}/key-use': 'audit:read',
  'post /v1/admin/operator-keys': 'operators:write',
  'get /v1/admin/operator-keys': 'operators:write',
  'post /v1/admin/operator-keys/{id}/revoke': 'operators:write',
};

test('the table of scopes names every operation of the admin API', () => {
  const routes = adminOperations.map(({ route }) => `${route.method} ${route.path}`);
  expect(routes.sort()).toEqual(Object.keys(scopes).sort());
});

test.each(Object.entries(scopes))('%s needs the scope %s of an operator key', async (operation, scope) => {
  const [method = '', path = ''] = operation.split(' ');
  const target = path.replaceAll(/\{\w+\}/g, 'x');
  expectProblem(await anonymous.call(method.toUpperCase(), target), 401, 'Missing or invalid operator key');
  expectProblem(await clientOf('account').call(method.toUpperCase(), target), 401, 'Missing or invalid operator key');
  for (const other of allOperatorScopes) {
    const answer = await clientOf(other).call(method.toUpperCase(), target);
    if (other === scope) {
      expect([400, 404, admitted], `${answer.status} ${answer.bytes}`).toContain(answer.status);
      continue;
    }
    expectProblem(answer, 403, `This operator key lacks the scope ${scope}. Use a key that has it.`);
    expect(answer.headers.get('Error-Code')).toBe('insufficient_scope');
  }
});

test('an operator key is refused by the operations of accounts', async () => {
  expectProblem(await clientOf('operator').call('GET', '/v1/templates'), 401, 'Missing or invalid API key');
});

test.each([
  '/v1/%61dmin/accounts',
  '/v1//admin/accounts',
  '/V1/admin/accounts',
  '/v1/admin/../admin/accounts',
  '/v1/admin',
])('the path %s admits no key of an account to the admin API', async (path) => {
  const answer = await fetch(url + path, { headers: { Authorization: 'Bearer account' } });
  expect([401, 404]).toContain(answer.status);
  expect(await answer.text()).toContain('"error"');
});

test('the address ranges of a key apply to the connection, and a header cannot claim another address', async () => {
  expect((await clientOf('here').call('GET', '/v1/admin/workers')).status).toBe(admitted);
  const headers = { 'X-Forwarded-For': '203.0.113.7' };
  const refused = await clientOf('elsewhere').call('GET', '/v1/admin/workers', { headers });
  expectProblem(refused, 403, 'This operator key is not allowed from the address 127.0.0.1.');
});

test('an unknown path of the admin API is 404 for operators, and 401 without a key', async () => {
  expectProblem(await clientOf('operator').call('GET', '/v1/admin/nothing'), 404);
  expectProblem(await clientOf('operator').call('DELETE', '/v1/admin/accounts'), 405);
  expectProblem(await anonymous.call('GET', '/v1/admin/nothing'), 401);
});

test('an address that keeps sending invalid operator keys has to wait, but a valid key still works', async () => {
  expect((await of('operator').call('GET', '/v1/admin/workers')).status).toBe(admitted);
  const guess = () => of('guess').call('GET', '/v1/admin/workers');
  const answers = await Promise.all(Array.from({ length: 50 }, guess));
  // On a busy machine a window may end in between.
  while (answers.at(-1)?.status !== 429) answers.push(await guess());
  const refused = answers.at(-1);
  if (refused === undefined) throw new Error('no response');
  expectProblem(refused, 429, 'Too many requests with an invalid operator key. Check the key, then try again.');
  expect((await of('operator').call('GET', '/v1/admin/workers')).status).toBe(admitted);
});

test('with a port of its own, the admin API is 404 on the public port, and alone on the other', async () => {
  const status = async (base: string, path: string, key: string) =>
    (await fetch(base + path, { headers: { Authorization: `Bearer ${key}` } })).status;
  for (const key of ['operator', 'account', 'unknown'])
    for (const path of ['/v1/admin', '/v1/admin/accounts', '/v1/admin/nothing'])
      expect(await status(publicPort.url, path, key), `${key} ${path}`).toBe(404);
  expect(await status(publicPort.url, '/v1/templates', 'account')).toBe(admitted);
  expect(await status(ownPort.url, '/v1/admin/workers', 'operator')).toBe(admitted);
  expect(await status(ownPort.url, '/v1/templates', 'account')).toBe(404);
  for (const path of ['/console/operator', '/console/operator/', '/console/operator/accounts']) {
    const answer = await (await fetch(publicPort.url + path)).text();
    expect(answer).toContain('The console of operators is on the port of the admin API.');
    expect(await (await fetch(ownPort.url + path)).text()).not.toContain('on the port of the admin API');
  }
  // The console of operators is one of the pages.
  expect(await status(ownPort.url, '/openapi.json', 'account')).toBe(200);
});

test.each([
  ['here', { addressRanges: ['127.0.0.0/7'] }, 403],
  ['here', { addressRanges: ['127.0.0.1', '0.0.0.0/0'] }, 403],
  ['here', { addressRanges: ['::/0'] }, 403],
  ['here', { addressRanges: ['127.0.0.0/16', '::1/128'] }, admitted],
  ['here', {}, admitted],
  ['ending', { expiresAt: '2090-01-01T00:00:01Z' }, 403],
  ['ending', { expiresAt: '2089-01-01T00:00:00Z' }, admitted],
  ['ending', {}, admitted],
])('the key %s creates no key with more than it has: %j', async (key, json, status) => {
  const answer = await clientOf(key).call('POST', '/v1/admin/operator-keys', { json: { name: 'x', ...json } });
  expect(answer.status).toBe(status);
});
