import { setBatchWeight } from '../../shared/domain/batches/dispatch/set-weight.ts';
import { setEmailLimits } from '../../shared/domain/deliveries/email-limits.ts';
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
    act(options) {
      const subscription = {
        accountId: readId(options, 'account', 'acc'),
        docs: readCount(options, 'docs'),
        templates: readCount(options, 'templates'),
        anchorDay: readDay(options, 'anchor-day'),
      };
      return (tx) => setSubscription(tx, subscription);
    },
  },
  'grant-credits': {
    summary: 'Grant an account credits for documents and templates',
    options: {
      account: required('<accountId>'),
      docs: required('<n>'),
      templates: required('<n>'),
      expires: optional('<date>'),
    },
    act(options) {
      const [docs, templates] = [readCount(options, 'docs'), readCount(options, 'templates')];
      if (docs + templates === 0) throw new UsageError('--docs and --templates must not both be 0');
      const accountId = readId(options, 'account', 'acc');
      const expiresAt = readTime(options, 'expires');
      return (tx) => grantCredits(tx, { accountId, docs, templates, expiresAt });
    },
  },
  'set-email-limits': {
    summary: 'Set how much e-mail an account may send in a day (UTC); without a number, the configured default applies',
    options: { account: required('<accountId>'), recipients: optional('<n>'), 'per-recipient': optional('<n>') },
    act(options) {
      const accountId = readId(options, 'account', 'acc');
      const limitOf = (name: string) => (options.has(name) ? readCount(options, name) : null);
      const limits = {
        recipientsPerDay: limitOf('recipients'),
        messagesPerRecipientPerDay: limitOf('per-recipient'),
      };
      return (tx) => setEmailLimits(tx, accountId, limits);
    },
  },
  'set-batch-weight': {
    summary: "Set the fair-share weight of an account's batches; the default is 1",
    options: { account: required('<accountId>'), weight: required('<1-100>') },
    act(options) {
      const accountId = readId(options, 'account', 'acc');
      const weight = readCount(options, 'weight', 1, 100);
      return (tx) => setBatchWeight(tx, { accountId, weight });
    },
  },
};
