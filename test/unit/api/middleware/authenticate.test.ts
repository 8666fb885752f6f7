import { expect, test } from 'vitest';
import { operations } from '../../../../src/api/app.ts';
import { type Answer, expectProblem } from '../../../support/client/api-client.ts';
import { admitted, startApplication } from '../application.ts';

const scopes = [
  ...(['templates:read', 'templates:write', 'documents:read', 'generate', 'account:read', 'webhooks'] as const),
  ...(['templates:approve', 'templates:override'] as const),
];
const { url, anonymous, clientOf } = await startApplication({
  ...Object.fromEntries(scopes.map((scope) => [scope, { accountId: `acc_${scope}`, scopes: [scope] }])),
  suspended: { isSuspended: true },
  test: { isTest: true },
});

/** Used only by the test about guessed keys. */
const { anonymous: guesser, client } = await startApplication();

/** The scope that the guide names for an operation, or null if the operation needs none. */
function scopeInGuide(method: string, path: string): string | null {
  if (path === '/v1/account/key') return null;
  if (path.startsWith('/v1/account/')) return 'account:read';
  if (path.startsWith('/v1/webhooks')) return 'webhooks';
  if (method === 'get' && /^\/v1\/(jobs|batches|deliveries)/.test(path)) return 'documents:read';
  if (/^\/v1\/(jobs|batches|deliveries|invoices)|\/(generate|jobs|preview|batches|quote)$/.test(path))
    return 'generate';
  if (/\/(approve|refuse)$/.test(path)) return 'templates:approve';
  if (path.endsWith('/override')) return 'templates:override';
  return method === 'get' ? 'templates:read' : 'templates:write';
}

const routes = operations.map(({ route, scope, alternativeScope }) => ({
  method: route.method,
  path: route.path,
  scope,
  alternativeScope,
}));

/** `generate` is older than `documents:read`, which it includes. */
const isIncluded = (scope: string, other: string): boolean => scope === 'documents:read' && other === 'generate';

test.each(routes)(
  '$method $path admits only keys that have its scope',
  async ({ method, path, scope, alternativeScope }) => {
    expect(scope).toBe(scopeInGuide(method, path));
    expect(alternativeScope).toBe(path.endsWith('/comment') ? 'templates:approve' : undefined);
    const target = path.replaceAll(/\{\w+\}/g, 'x');
    expectProblem(await anonymous.call(method.toUpperCase(), target), 401);
    for (const other of scopes) {
      const answer = await clientOf(other).call(method.toUpperCase(), target);
      if (scope === null || other === scope || other === alternativeScope || isIncluded(scope, other)) {
        expect([400, admitted], `${answer.status} ${answer.bytes}`).toContain(answer.status);
        continue;
      }
      const either = alternativeScope === undefined ? scope : `${scope} or ${alternativeScope}`;
      expectProblem(answer, 403, `This API key lacks the scope ${either}. Use a key that has it.`);
      expect(answer.headers.get('Error-Code')).toBe('insufficient_scope');
      expect(answer.headers.get('WWW-Authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
    }
  },
);

test.each<[string, Readonly<Record<string, string>>]>([
  ['nothing', {}],
  ['an empty header', { Authorization: '' }],
  ['a scheme alone', { Authorization: 'Bearer' }],
  ['a scheme and a space', { Authorization: 'Bearer ' }],
  ['a key alone', { Authorization: 'all' }],
  ['another scheme', { Authorization: 'Basic all' }],
  ['a longer scheme', { Authorization: 'xBearer all' }],
  ['another key', { Authorization: 'Bearer allx' }],
  ['two words', { Authorization: 'Bearer all x' }],
  ['201 characters', { Authorization: `Bearer ${'k'.repeat(201)}` }],
  ['no ASCII', { Authorization: 'Bearer kéy' }],
  ['another header', { 'X-Api-Key': 'all' }],
])('no request is admitted with %s, and the response is always the same', async (_what, headers) => {
  const answer = await anonymous.call('GET', '/v1/templates', { headers });
  expect(answer.json()).toStrictEqual({ error: { status: 401, message: 'Missing or invalid API key' } });
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  expectProblem(await anonymous.call('GET', '/v1/templates?api_key=all'), 401);
});

test('the scheme is case-insensitive, and may be followed by several spaces', async () => {
  for (const Authorization of ['bearer all', 'BEARER   all'])
    expect((await anonymous.call('GET', '/v1/templates', { headers: { Authorization } })).status).toBe(admitted);
});

test('a key that was created without scopes neither approves nor overrides', async () => {
  for (const step of ['approve', 'refuse', 'override']) {
    const answer = await clientOf('all').call('POST', `/v1/templates/x/versions/1/${step}`, { json: {} });
    expectProblem(answer, 403, /lacks the scope templates:(approve|override)/);
  }
});

test('a suspended account gets 403 with the reason', async () => {
  const answer = await clientOf('suspended').call('GET', '/v1/templates');
  expectProblem(answer, 403, 'This account is suspended. Contact the operator of this service.');
  expect(answer.headers.get('Error-Code')).toBe('account_suspended');
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
});

test('a test key cannot create batches or resend e-mail', async () => {
  const tester = clientOf('test');
  const batches = await tester.call('POST', '/v1/templates/x/batches', { json: { items: [{ data: {} }] } });
  expectProblem(batches, 403, 'Test keys generate single documents, not batches. Use a key that is not for tests.');
  expect(batches.headers.get('Error-Code')).toBe('test_key');
  expect(batches.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope"');
  for (const path of ['/v1/batches/x/retry', '/v1/deliveries', '/v1/deliveries/x/resend'])
    expectProblem(await tester.call('POST', path), 403, /Test keys/);
});

test("every operation returns the client's request id, and refuses an invalid idempotency key", async () => {
  const headers = { Authorization: 'Bearer all', 'X-Request-Id': 'order-4711', 'Idempotency-Key': '' };
  const problem = 'Invalid Idempotency-Key header';
  for (const { method, path } of routes) {
    const target = url + path.replaceAll(/\{\w+\}/g, 'x');
    const answer = await fetch(target, { method: method.toUpperCase(), headers });
    expect(answer.headers.get('X-Request-Id'), path).toBe('order-4711');
    const text = await answer.text();
    if (method === 'post') expect([answer.status, JSON.parse(text).error.message]).toEqual([400, problem]);
    else expect(text, path).not.toContain(problem);
  }
});

test('an address that keeps sending invalid keys has to wait, but a key that was valid before still works', async () => {
  const guess = () => guesser.call('GET', '/v1/templates', { headers: { Authorization: 'Bearer guess' } });
  const answers = await Promise.all(Array.from({ length: 100 }, guess));
  // On a busy machine a window may end in between.
  while (answers.at(-1)?.status !== 429) answers.push(await guess());
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(100);
  const refused = answers.at(-1) as Answer;
  expectProblem(refused, 429, 'Too many requests with an invalid API key. Check the key, then try again.');
  const waitSeconds = Number(refused.headers.get('Retry-After'));
  expect(waitSeconds).toBeGreaterThanOrEqual(1);
  expect(waitSeconds).toBeLessThanOrEqual(10);
  expect((await client.call('GET', '/v1/templates')).status).toBe(admitted);
});
