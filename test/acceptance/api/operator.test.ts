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
  [['create-key', '--account', `acc_${'0'.repeat(26)}`], 1, ''],
])('%j is refused on one line, with an exit code', async (line, code, said) => {
  const env = { PATH: process.env.PATH, ...stack.env };
  const failed = promisify(execFile)(process.execPath, ['dist/admin/main.js', ...line, '--json'], { env });
  await expect(failed).rejects.toMatchObject({
    code,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^.*${said}.+\\n$`)),
  });
});
