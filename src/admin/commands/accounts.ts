import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { readQuotas } from '../../shared/domain/quota/read-quotas.ts';
import { type Commands, required } from '../parse-command.ts';
import { readId, readName } from '../read-options.ts';

export const accountCommands: Commands = {
  'create-account': {
    summary: 'Create an account',
    options: { name: required('<name>') },
    async run({ db }, options) {
      const name = readName(options, 'name');
      return { ...(await createAccount(db, name)), name };
    },
  },
  'show-account': {
    summary: 'Show an account, its keys and its quotas',
    options: { account: required('<accountId>') },
    async run({ db }, options) {
      const account = await findAccount(db, readId(options, 'account', 'acc'));
      return { ...account, quotas: await readQuotas(db, account.accountId) };
    },
  },
};
