import { setBatchWeight } from '../../shared/domain/batches/dispatch/set-weight.ts';
import { grantCredits } from '../../shared/domain/quota/grant-credits.ts';
import { setSubscription } from '../../shared/domain/quota/set-subscription.ts';
import { type Commands, optional, required, UsageError } from '../parse-command.ts';
import { readCount, readDay, readId, readTime } from '../read-options.ts';

export const quotaCommands: Commands = {
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
};
