import { bigint, date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';

/**
 * What the ledger says of days that are over, added up once: nothing is ever added to them. A day that was added up has a
 * row without a template, with the sums of all, also when nothing ended on it.
 */
export const usageDays = pgTable(
  'usage_days',
  {
    accountId: accountId(),
    day: date('day').notNull(),
    templateId: text('template_id').notNull(),
    /** Empty where no key is known. */
    keyId: text('key_id').notNull(),
    documents: bigint('documents', { mode: 'number' }).notNull(),
    pages: bigint('pages', { mode: 'number' }).notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    failures: bigint('failures', { mode: 'number' }).notNull(),
    cancelled: bigint('cancelled', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.templateId, table.keyId] })],
);
