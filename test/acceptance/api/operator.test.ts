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

test('a refused command has one line of text and an exit code', async () => {
  const env = { PATH: process.env.PATH, ...stack.env };
  const failed = promisify(execFile)(process.execPath, ['dist/admin/main.js', 'set-budget', '--json'], { env });
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^.*--key is missing.*\n$/),
  });
});

test('help is an answer, not an error', async () => {
  const env = { PATH: process.env.PATH, ...stack.env };
  const all = await promisify(execFile)(process.execPath, ['dist/admin/main.js', '--help'], { env });
  expect(all.stdout).toContain('set-budget');
});
