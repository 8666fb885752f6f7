import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { setKeyBudget } from '../../shared/domain/api-keys/budget.ts';
import { createKey, revokeKey } from '../../shared/domain/api-keys/create-key.ts';
import { scopeMeanings } from '../../shared/domain/api-keys/scopes.ts';
import { type Commands, optional, required } from '../parse-command.ts';
import { readChoice, readCount, readId, readName, readScopeList, readTime } from '../read-options.ts';

export const keyCommands: Commands = {
  'create-key': {
    summary: 'Create an API key for an account; it is shown once',
    options: {
      account: required('<accountId>'),
      name: optional('<name>'),
      kind: optional('<live|test>'),
      scopes: optional(`<${Object.keys(scopeMeanings).join(',')}>`),
      expires: optional('<date>'),
    },
    act(options) {
      const key = {
        accountId: readId(options, 'account', 'acc'),
        name: options.has('name') ? readName(options, 'name') : undefined,
        scopes: options.has('scopes') ? readScopeList(options, 'scopes') : null,
        isTest: readChoice(options, 'kind', ['live', 'test']) === 'test',
        expiresAt: readTime(options, 'expires'),
      };
      return (tx) => createKey(tx, key);
    },
  },
  'list-keys': {
    summary: 'List the API keys of an account, without their secrets',
    options: { account: required('<accountId>') },
    run: async ({ db }, options) => ({ keys: (await findAccount(db, readId(options, 'account', 'acc'))).keys }),
  },
  'revoke-key': {
    summary: 'Revoke an API key',
    options: { key: required('<keyId>') },
    act(options) {
      const keyId = readId(options, 'key', 'key');
      return (tx) => revokeKey(tx, keyId);
    },
  },
  'set-budget': {
    summary:
      'Set how many documents a key may request per month, this month included; without --docs, remove its budget',
    options: { key: required('<keyId>'), docs: optional('<n>') },
    act(options) {
      const keyId = readId(options, 'key', 'key');
      const docs = options.has('docs') ? readCount(options, 'docs') : null;
      return (tx) => setKeyBudget(tx, keyId, docs);
    },
  },
};
