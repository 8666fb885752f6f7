import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { byProgram, createOperator } from '../../support/client/operator.ts';
import { useService } from '../../support/client/service-under-test.ts';

const stack = inject('stack');
const { clientOf } = await useService(stack);
const operator = createOperator(byProgram(stack.env));

const statusOf = async (apiKey: string) => (await clientOf(apiKey).call('GET', '/v1/account/quotas')).status;

test('the built program creates an account, its quotas and keys, and shows them', async () => {
  const { accountId, keyId, apiKey } = await operator.createAccount({
    docs: 3,
    templates: 2,
    credits: [{ docs: 7, templates: 1, expires: '2099-01-01' }],
  });
  const quotas = (await clientOf(apiKey).call('GET', '/v1/account/quotas')).json();
  expect(quotas).toMatchObject({ remaining: { total: { docs: 10, templates: 3 } } });
  await operator.run('set-budget', { key: keyId, docs: 4 });
  const second = await operator.createKey(accountId);
  expect(await statusOf(second.apiKey)).toBe(200);
  expect(await operator.run('show-account', { account: accountId })).toMatchObject({ accountId, quotas });
  const { apiKey: revoked, keyId: revokedId } = await operator.createKey(accountId);
  await operator.run('revoke-key', { key: revokedId });
  expect(await statusOf(revoked)).toBe(401);
});

test.each([
  [['set-budget'], 2, '--key is missing'],
  [['no-such-command'], 2, 'Usage: admin <command>'],
  [['create-account', '--name', 'Bad\u0007Name'], 2, '--name must be visible text'],
  [['create-account', '--name', '\u200b'], 2, '--name must be visible text'],
  [['create-account', '--name', ' '], 2, '--name must be 1 to 200'],
  [['create-account', '--name', 'a', '--name', 'b'], 2, "'--name' is given twice"],
  [['create-account', '--name'], 2, 'Usage: admin create-account'],
  [['create-key', '--account', 'acc_1', '--expires', '2020-01-01'], 2, '--expires must be in the future'],
  [['create-key', '--account', 'acc_1', '--expires', '2099-02-30'], 2, '--expires must be an ISO 8601'],
  [['create-key', '--account', 'acc_1', '--expires', '2099-02-03T10:00:00'], 2, 'with its zone'],
  [['create-key', '--account', 'acc_1', '--kind', 'free'], 2, '--kind must be live or test'],
  [['create-key', '--account', 'acc_1', '--scopes', 'admin'], 2, '--scopes must be a list of templates:read, '],
  [['create-key', '--account', 'acc_1', '--scopes', 'generate,'], 2, '--scopes must be a list of'],
  [['create-key', '--account', 'acc_1', '--scopes', ''], 2, '--scopes must be 1 to 200'],
  [['create-key', '--account', 'acc_1', '--name', 'a\u202eb'], 2, '--name must be visible text'],
  [['grant-credits', '--account', 'acc_1', '--docs', '0', '--templates', '0'], 2, 'must not both be 0'],
  [['grant-credits', '--account', 'acc_1', '--docs', '1.5', '--templates', '0'], 2, '--docs must be a whole number'],
  [['grant-credits', '--account', 'acc_1', '--docs=-1', '--templates', '0'], 2, '--docs must be a whole number'],
  [['create-key', '--account', `acc_${'0'.repeat(26)}`], 1, 'There is no account'],
  [['create-key', '--account', `key_${'0'.repeat(26)}`], 2, '--account must be the id of an account'],
  [['list-quarantine', '--account', `acc_${'0'.repeat(26)}`], 1, 'There is no account'],
  [['create-account', '--na\u001b[31m\u202eme', 'x'], 2, "Unknown option '--na[?]\\[31m[?]me'"],
])('%j is refused on one line, with an exit code', async (line, code, said) => {
  const env = { PATH: process.env.PATH, ...stack.env };
  const failed = promisify(execFile)(process.execPath, ['dist/admin/main.js', ...line, '--json'], { env });
  await expect(failed).rejects.toMatchObject({
    code,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^.*${said}.*\\n$`)),
  });
});

test('help is an answer, not an error', async () => {
  const env = { PATH: process.env.PATH, ...stack.env };
  const all = await promisify(execFile)(process.execPath, ['dist/admin/main.js', '--help'], { env });
  expect(all.stdout).toContain('set-budget');
  const one = await promisify(execFile)(process.execPath, ['dist/admin/main.js', 'set-budget', '--help'], { env });
  expect(one.stdout).toContain('Usage: admin set-budget --key <keyId> [--docs <n>] --json');
});
