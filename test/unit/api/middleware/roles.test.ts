import { expect, test } from 'vitest';
import { operations } from '../../../../src/api/app.ts';
import { allRoles, type Role, scopesOf } from '../../../../src/shared/domain/api-keys/roles.ts';
import { expectProblem } from '../../../support/client/api-client.ts';
import { admitted, startApplication } from '../application.ts';

/** Written by hand, so that a change of the roles' scopes is noticed here. */
const mayNotWrite: readonly Role[] = ['viewer', 'approver'];

/** Who may call an operation. */
function isAllowed(role: Role, method: string, path: string): boolean {
  if (role === 'admin' || path === '/v1/account/key') return true;
  if (/\/(approve|comment)$/.test(path) && role === 'approver') return true;
  if (/\/(approve|refuse|override)$/.test(path)) return role === 'approver' && !path.endsWith('/override');
  if (path.startsWith('/v1/account/') || path.startsWith('/v1/webhooks')) return role === 'developer';
  return method === 'get' || !mayNotWrite.includes(role);
}

const people = Object.fromEntries(allRoles.map((role) => [role, { scopes: scopesOf([role]) }]));
const { clientOf } = await startApplication(people);
const cases = operations.flatMap(({ route: { method, path } }) => allRoles.map((role) => ({ role, method, path })));

test.each(cases)('$role: $method $path', async ({ role, method, path }) => {
  const answer = await clientOf(role).call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'));
  if (isAllowed(role, method, path)) expect([400, admitted], String(answer.bytes)).toContain(answer.status);
  else expectProblem(answer, 403, /lacks the scope/);
});

test('several roles allow what any of them allows', () => {
  expect(scopesOf(['viewer', 'developer'])).toEqual(scopesOf(['developer']));
  expect(scopesOf(['viewer', 'admin'])).toEqual(scopesOf(['admin']));
  expect(scopesOf([])).toEqual([]);
});

test('no role reaches the admin API', async () => {
  for (const role of allRoles) expectProblem(await clientOf(role).call('GET', '/v1/admin/accounts'), 401);
});
