import { bigint, date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';

const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/** Totals of documents whose rows are removed, by the month (UTC) of their acceptance. Kept for ever. */
export const documentMonths = pgTable(
  'document_months',
  {
    accountId: accountId(),
    /** The first day of the month. */
    month: date('month').notNull(),
    /** Documents produced and charged, minus refunds. `pages` and `bytes` are theirs. */
    documents: count('documents'),
    pages: count('pages'),
    bytes: count('bytes'),
    failures: count('failures'),
    cancelled: count('cancelled'),
    refunded: count('refunded'),
    /** Documents requested with a test key, regardless of the outcome. */
    tests: count('tests'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.month] })],
);

/** Units of removed ledger entries, by allowance and by the documents' month (UTC). Kept for ever. */
export const ledgerMonths = pgTable(
  'ledger_months',
  {
    accountId: accountId(),
    allowanceId: text('allowance_id').notNull(),
    /** The first day of the month. */
    month: date('month').notNull(),
    reserved: count('reserved'),
    settled: count('settled'),
    released: count('released'),
    refunded: count('refunded'),
  },
  (table) => [primaryKey({ columns: [table.allowanceId, table.month] })],
);

/** Partitions that were detached from their table. Totalling and dropping one is a single transaction. */
export const retiredPartitions = pgTable('retired_partitions', {
  name: text('name').primaryKey(),
  parent: text('parent', { enum: ['generations', 'ledger', 'deliveries'] }).notNull(),
  month: date('month').notNull(),
});
