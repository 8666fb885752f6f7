import { expect, test } from 'vitest';
import { accountName } from '../../../../src/console/session/account-name.ts';

test('a key is shown with the name of its account, or with its prefix if an older process responds', () => {
  const prefix = 'dts_0123abcd';
  expect(accountName({ prefix, account: { id: 'acc_1', name: 'Ada Ltd' } })).toBe('Ada Ltd');
  expect(accountName({ prefix })).toBe('dts_0123abcd…');
});
