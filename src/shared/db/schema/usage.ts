import { bigint, date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';

/**
 * Ledger totals of past days, which never change. Each totalled day has a row with an empty template id that holds the
 * day's sums, even if they are zero.
 */
export const usageDays = pgTable(
  'usage_days',
  {
    accountId: accountId(),
    day: date('day').notNull(),
    templateId: text('template_id').notNull(),
    /** Empty if the key is unknown. */
    keyId: text('key_id').notNull(),
    documents: bigint('documents', { mode: 'number' }).notNull(),
    pages: bigint('pages', { mode: 'number' }).notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    failures: bigint('failures', { mode: 'number' }).notNull(),
    cancelled: bigint('cancelled', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.templateId, table.keyId] })],
);
