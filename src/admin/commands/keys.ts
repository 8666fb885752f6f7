import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { setKeyBudget } from '../../shared/domain/api-keys/budget.ts';
import { createKey, revokeKey } from '../../shared/domain/api-keys/create-key.ts';
import { rotateKey } from '../../shared/domain/api-keys/rotate-key.ts';
import { scopeMeanings } from '../../shared/domain/api-keys/scopes.ts';
import { type Commands, flag, optional, required } from '../parse-command.ts';
import { readChoice, readCount, readDuration, readId, readName, readScopeList, readTime } from '../read-options.ts';

const dayMs = 86_400_000;
const maxOverlapMs = 90 * dayMs;

export const keyCommands: Commands = {
  'create-key': {
    summary: 'Create an API key for an account; it is shown once',
    options: {
      account: required('<accountId>'),
      name: optional('<name>'),
      kind: optional('<live|test>'),
      scopes: optional(`<${Object.keys(scopeMeanings).join(',')}>`),
      expires: optional('<date>'),
      owner: optional('<keyId of a person>'),
    },
    act(options) {
      const key = {
        accountId: readId(options, 'account', 'acc'),
        name: options.has('name') ? readName(options, 'name') : undefined,
        scopes: options.has('scopes') ? readScopeList(options, 'scopes') : null,
        isTest: readChoice(options, 'kind', ['live', 'test']) === 'test',
        expiresAt: readTime(options, 'expires'),
        ownerId: options.has('owner') ? readId(options, 'owner', 'key') : undefined,
      };
      return (tx) => createKey(tx, key);
    },
  },
  'list-keys': {
    summary: 'List the API keys of an account, without their secrets',
    options: { account: required('<accountId>') },
    run: async ({ db }, options) => ({ keys: (await findAccount(db, readId(options, 'account', 'acc'))).keys }),
  },
  'rotate-key': {
    summary: 'Give an API key a new secret, shown once; the previous one works for 24 hours, or for --overlap',
    options: {
      key: required('<keyId>'),
      overlap: optional('<duration>'),
      force: flag,
    },
    act(options) {
      const rotation = {
        keyId: readId(options, 'key', 'key'),
        overlapMs: options.has('overlap') ? readDuration(options, 'overlap', maxOverlapMs) : dayMs,
        isForced: options.has('force'),
      };
      return (tx) => rotateKey(tx, rotation);
    },
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
