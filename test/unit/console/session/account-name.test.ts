import { expect, test } from 'vitest';
import { accountName } from '../../../../src/console/session/account-name.ts';

test('a key has the name of its account, or how it begins when a process of the version before answers', () => {
  const prefix = 'dts_0123abcd';
  expect(accountName({ prefix, account: { id: 'acc_1', name: 'Ada Ltd' } })).toBe('Ada Ltd');
  expect(accountName({ prefix })).toBe('dts_0123abcd…');
});
