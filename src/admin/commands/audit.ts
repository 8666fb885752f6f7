import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { listKeyUse } from '../../shared/domain/audit/key-use.ts';
import { listActs } from '../../shared/domain/audit/list-acts.ts';
import { type Commands, optional, required, UsageError } from '../parse-command.ts';
import { readCount, readId, readPastTime } from '../read-options.ts';

const rowsAtOnce = 100;

export const auditCommands: Commands = {
  audit: {
    summary: 'List what operators changed, newest first',
    options: {
      account: optional('<accountId>'),
      action: optional('<command>'),
      since: optional('<time>'),
      before: optional('<next of the previous page>'),
      limit: optional('<n>'),
    },
    run({ db }, options) {
      const action = options.get('action');
      if (action !== undefined && !/^[a-z-]{1,40}$/.test(action)) throw new UsageError('--action must be a command');
      const before = options.get('before');
      if (before !== undefined && !/^aud_[0-9a-z]{26}$/.test(before))
        throw new UsageError('--before must be the value of next on the previous page');
      return listActs(db, {
        accountId: options.has('account') ? readId(options, 'account', 'acc') : undefined,
        action,
        since: readPastTime(options, 'since'),
        before,
        limit: options.has('limit') ? readCount(options, 'limit', 1, 1_000) : rowsAtOnce,
      });
    },
  },
  'key-use': {
    summary: 'List the use of the API keys of an account by day, key and scope',
    options: {
      account: required('<accountId>'),
      since: optional('<time>'),
      after: optional('<next of the previous page>'),
      limit: optional('<n>'),
    },
    async run({ db }, options) {
      const after = options.get('after');
      if (after !== undefined && !/^\d{4}-\d\d-\d\d key_[0-9a-z]{1,60} [a-z:]{1,40}$/.test(after))
        throw new UsageError('--after must be the value of next on the previous page');
      const accountId = readId(options, 'account', 'acc');
      const since = readPastTime(options, 'since')?.toISOString().slice(0, 10);
      const limit = options.has('limit') ? readCount(options, 'limit', 1, 1_000) : rowsAtOnce;
      // Throws for an account that does not exist.
      await findAccount(db, accountId);
      return listKeyUse(db, { accountId, since, after, limit });
    },
  },
};
