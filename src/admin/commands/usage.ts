import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { busiestAccounts } from '../../shared/domain/usage/busiest-accounts.ts';
import { readUsage, type UsageGroup, usageGroups } from '../../shared/domain/usage/read-usage.ts';
import { type Commands, type Options, optional, required, UsageError } from '../parse-command.ts';
import { readCount, readDate, readId, readOneOf } from '../read-options.ts';

const dayMs = 86_400_000;
const maxDays = 366;
const maxGroups = 1_000;
const maxMinutes = 7 * 24 * 60;

export const usageCommands: Commands = {
  usage: {
    summary:
      'Show the documents, pages and failures of an account by day, template or key; the last 30 days by default',
    options: {
      account: required('<accountId>'),
      from: optional('<date>'),
      to: optional('<date>'),
      by: optional(`<${usageGroups.join('|')}>`),
    },
    async run({ db }, options) {
      const accountId = readId(options, 'account', 'acc');
      const { from, to } = readPeriod(options);
      const groupBy: UsageGroup = options.has('by') ? readOneOf(options, 'by', usageGroups) : 'day';
      await findAccount(db, accountId);
      const period = { from: new Date(from), to: new Date(Date.parse(to) + dayMs) };
      const usage = await readUsage(db, { accountId, ...period, groupBy, limit: maxGroups });
      return { accountId, from, to, by: groupBy, ...usage };
    },
  },
  'busiest-accounts': {
    summary: 'Show which accounts occupied render processes and LibreOffice longest; the last hour by default',
    options: { minutes: optional('<n>'), limit: optional('<n>') },
    async run({ db }, options) {
      const minutes = options.has('minutes') ? readCount(options, 'minutes', 1, maxMinutes) : 60;
      const limit = options.has('limit') ? readCount(options, 'limit', 1, maxGroups) : 20;
      const since = new Date(Date.now() - minutes * 60_000);
      return { since: since.toISOString(), accounts: await busiestAccounts(db, since, limit) };
    },
  },
};

/** Reads the first and the last day (UTC, both inclusive). */
function readPeriod(options: Options): { readonly from: string; readonly to: string } {
  const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const to = options.has('to') ? readDate(options, 'to') : dateOf(Date.now());
  const from = options.has('from') ? readDate(options, 'from') : dateOf(Date.parse(to) - 29 * dayMs);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw new UsageError('--from must not be after --to');
  if (days > maxDays) throw new UsageError(`--from must be at most ${maxDays} days before --to`);
  return { from, to };
}
