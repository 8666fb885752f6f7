import { loadStorageConfig } from '../../shared/config/load-config.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { listAccounts } from '../../shared/domain/accounts/list-accounts.ts';
import { setApproval } from '../../shared/domain/accounts/set-approval.ts';
import { resumeAccount, suspendAccount } from '../../shared/domain/accounts/suspend-account.ts';
import { readQuotas } from '../../shared/domain/quota/read-quotas.ts';
import { createLogger } from '../../shared/logger.ts';
import { type Commands, optional, required } from '../parse-command.ts';
import { readId, readLimit, readName, readPath, readSwitch } from '../read-options.ts';

export const accountCommands: Commands = {
  'create-account': {
    summary: 'Create an account',
    options: { name: required('<name>') },
    act(options) {
      const name = readName(options, 'name');
      return async (tx) => ({ ...(await createAccount(tx, name)), name });
    },
  },
  'list-accounts': {
    summary: 'List the accounts in order of creation, with the use of their quotas',
    options: { limit: optional('<1-1000>'), after: optional('<accountId>') },
    run: ({ db }, options) =>
      listAccounts(db, {
        limit: readLimit(options),
        after: options.has('after') ? readId(options, 'after', 'acc') : undefined,
      }),
  },
  'suspend-account': {
    summary: 'Refuse all requests of an account and hold its batches; accepted documents are still produced and sent',
    options: { account: required('<accountId>') },
    act(options) {
      const accountId = readId(options, 'account', 'acc');
      return (tx) => suspendAccount(tx, accountId);
    },
  },
  'resume-account': {
    summary: 'Accept the requests of a suspended account again and continue its batches',
    options: { account: required('<accountId>') },
    act(options) {
      const accountId = readId(options, 'account', 'acc');
      return (tx) => resumeAccount(tx, accountId);
    },
  },
  'set-approval': {
    summary: 'Set whether a new version of a template is a draft until another person approves it',
    options: { account: required('<accountId>'), approval: required('<on|off>') },
    act(options) {
      const accountId = readId(options, 'account', 'acc');
      const needsApproval = readSwitch(options, 'approval');
      return (tx) => setApproval(tx, { accountId, needsApproval });
    },
  },
  'export-account': {
    summary: 'Export everything that an account has to an empty folder, without secrets',
    options: { account: required('<accountId>'), out: required('<folder>') },
    steps(options) {
      const accountId = readId(options, 'account', 'acc');
      const folder = readPath(options, 'out');
      return async ({ db }) => {
        const { openObjects } = await import('../../shared/connections.ts');
        const { exportAccount } = await import('../export/export-account.ts');
        const objects = openObjects(loadStorageConfig(), createLogger('silent', 'admin'));
        try {
          return await exportAccount({ db, objects }, accountId, folder);
        } finally {
          objects.close();
        }
      };
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
