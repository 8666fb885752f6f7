import { expect, it } from 'vitest';
import { formatResult } from '../../../src/admin/format-table.ts';

it('prints values by name, and a list of objects as a table', () => {
  const result = {
    accounts: [
      { accountId: 'acc_1', name: 'Ada', quota: { docs: 10, used: 1 }, createdAt: new Date(0) },
      { accountId: 'acc_2', name: 'Grace\u001b[31m', quota: null },
    ],
    next: null,
    isComplete: true,
  };
  expect(formatResult(result)).toBe(
    [
      'next        -',
      'isComplete  true',
      '',
      'accounts:',
      'accountId  name        quota.docs  quota.used  createdAt                 quota',
      '---------  ----------  ----------  ----------  ------------------------  -----',
      'acc_1      Ada         10          1           1970-01-01T00:00:00.000Z  -',
      'acc_2      Grace?[31m  -           -           -                         -',
    ].join('\n'),
  );
});
