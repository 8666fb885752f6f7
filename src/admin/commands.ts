import { migrateDatabase } from '../shared/db/migrate.ts';
import { createAccount } from '../shared/domain/accounts/create-account.ts';
import { findAccount } from '../shared/domain/accounts/find-account.ts';
import { setKeyBudget } from '../shared/domain/api-keys/budget.ts';
import { createKey, revokeKey } from '../shared/domain/api-keys/create-key.ts';
import { scopeMeanings } from '../shared/domain/api-keys/scopes.ts';
import { setBatchWeight } from '../shared/domain/batches/dispatch/set-weight.ts';
import { clearConversionFailures, listConversionFailures } from '../shared/domain/conversion-failures.ts';
import { grantCredits } from '../shared/domain/quota/grant-credits.ts';
import { readQuotas } from '../shared/domain/quota/read-quotas.ts';
import { setSubscription } from '../shared/domain/quota/set-subscription.ts';
import { liftSuspension, listTemplateFailures } from '../shared/domain/template-failures.ts';
import { pinTemplate } from '../shared/domain/templates/pin-template.ts';
import { doctorCommand } from './doctor.ts';
import { engineCheckCommand } from './engine-check/command.ts';
import { type Command, UsageError } from './parse-command.ts';
import {
  readChoice,
  readCount,
  readDay,
  readFingerprint,
  readId,
  readName,
  readScopeList,
  readTime,
  readVersion,
} from './read-options.ts';
import { verifyReceiptCommand } from './verify-receipt.ts';

const required = (hint: string) => ({ isRequired: true, hint });
const optional = (hint: string) => ({ isRequired: false, hint });

/** The operator's commands. Each returns one JSON object. */
export const commands: Readonly<Record<string, Command>> = {
  migrate: {
    summary: 'Apply the pending database migrations',
    options: {},
    async run({ databaseUrl }) {
      await migrateDatabase(databaseUrl);
      return { migrated: true };
    },
  },
  doctor: doctorCommand,
  'create-account': {
    summary: 'Create an account',
    options: { name: required('<name>') },
    async run({ db }, options) {
      const name = readName(options, 'name');
      return { ...(await createAccount(db, name)), name };
    },
  },
  'create-key': {
    summary: 'Create an API key for an account; it is shown once',
    options: {
      account: required('<accountId>'),
      name: optional('<name>'),
      kind: optional('<live|test>'),
      scopes: optional(`<${Object.keys(scopeMeanings).join(',')}>`),
      expires: optional('<date>'),
    },
    run: ({ db }, options) =>
      createKey(db, {
        accountId: readId(options, 'account', 'acc'),
        name: options.has('name') ? readName(options, 'name') : undefined,
        scopes: options.has('scopes') ? readScopeList(options, 'scopes') : null,
        isTest: readChoice(options, 'kind', ['live', 'test']) === 'test',
        expiresAt: readTime(options, 'expires'),
      }),
  },
  'list-keys': {
    summary: 'List the API keys of an account, without their secrets',
    options: { account: required('<accountId>') },
    run: async ({ db }, options) => ({ keys: (await findAccount(db, readId(options, 'account', 'acc'))).keys }),
  },
  'revoke-key': {
    summary: 'Revoke an API key',
    options: { key: required('<keyId>') },
    run: ({ db }, options) => revokeKey(db, readId(options, 'key', 'key')),
  },
  'set-budget': {
    summary:
      'Set how many documents a key may request per month, this month included; without --docs, remove its budget',
    options: { key: required('<keyId>'), docs: optional('<n>') },
    run: ({ db }, options) =>
      setKeyBudget(db, readId(options, 'key', 'key'), options.has('docs') ? readCount(options, 'docs') : null),
  },
  'set-subscription': {
    summary: 'Set the monthly document quota and the template quota of an account',
    options: {
      account: required('<accountId>'),
      docs: required('<n>'),
      templates: required('<n>'),
      'anchor-day': optional('<1-31>'),
    },
    run: ({ db }, options) =>
      setSubscription(db, {
        accountId: readId(options, 'account', 'acc'),
        docs: readCount(options, 'docs'),
        templates: readCount(options, 'templates'),
        anchorDay: readDay(options, 'anchor-day'),
      }),
  },
  'grant-credits': {
    summary: 'Grant an account credits for documents and templates',
    options: {
      account: required('<accountId>'),
      docs: required('<n>'),
      templates: required('<n>'),
      expires: optional('<date>'),
    },
    run({ db }, options) {
      const [docs, templates] = [readCount(options, 'docs'), readCount(options, 'templates')];
      if (docs + templates === 0) throw new UsageError('--docs and --templates must not both be 0');
      const accountId = readId(options, 'account', 'acc');
      return grantCredits(db, { accountId, docs, templates, expiresAt: readTime(options, 'expires') });
    },
  },
  'set-batch-weight': {
    summary: "Set the fair-share weight of an account's batches; the default is 1",
    options: { account: required('<accountId>'), weight: required('<1-100>') },
    run: ({ db }, options) =>
      setBatchWeight(db, {
        accountId: readId(options, 'account', 'acc'),
        weight: readCount(options, 'weight', 1, 100),
      }),
  },
  'list-quarantine': {
    summary: 'List documents that crashed or hung LibreOffice, and templates whose documents fail so',
    options: { account: optional('<accountId>') },
    async run({ db }, options) {
      const account = options.has('account') ? readId(options, 'account', 'acc') : undefined;
      // Throws for an account that does not exist.
      if (account !== undefined) await findAccount(db, account);
      return {
        documents: await listConversionFailures(db, account),
        templates: await listTemplateFailures(db, account),
      };
    },
  },
  'lift-quarantine': {
    summary: 'Allow a quarantined document, or the documents of a suspended template, to be produced again',
    options: { fingerprint: optional('<fingerprint>'), template: optional('<templateId>') },
    run({ db }, options) {
      if (options.has('fingerprint') === options.has('template'))
        throw new UsageError('Give either --fingerprint or --template');
      return options.has('fingerprint')
        ? clearConversionFailures(db, readFingerprint(options, 'fingerprint'))
        : liftSuspension(db, readId(options, 'template', 'tpl'));
    },
  },
  'verify-receipt': verifyReceiptCommand,
  'pin-template': {
    summary: 'Lay out the documents of a template only with one version of LibreOffice, or with --unpin with any',
    options: {
      template: required('<templateId>'),
      engine: optional('<version>'),
      unpin: { isRequired: false, hint: undefined },
    },
    run({ db }, options) {
      if (options.has('engine') === options.has('unpin')) throw new UsageError('Give either --engine or --unpin');
      const engine = options.has('unpin') ? null : readVersion(options, 'engine');
      return pinTemplate(db, { templateId: readId(options, 'template', 'tpl'), engine });
    },
  },
  'engine-check': engineCheckCommand,
  'show-account': {
    summary: 'Show an account, its keys and its quotas',
    options: { account: required('<accountId>') },
    async run({ db }, options) {
      const account = await findAccount(db, readId(options, 'account', 'acc'));
      return { ...account, quotas: await readQuotas(db, account.accountId) };
    },
  },
};
