import { sql } from 'drizzle-orm';
import { bigserial, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';
import { time } from './columns.ts';

export const subscriptions = pgTable(
  'subscriptions',
  {
    accountId: accountId().primaryKey(),
    docs: integer('docs').notNull(),
    templates: integer('templates').notNull(),
    anchorDay: integer('anchor_day').notNull(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    check('subscriptions_sizes', sql`${table.docs} >= 0 and ${table.templates} >= 0`),
    check('subscriptions_anchor_day', sql`${table.anchorDay} between 1 and 31`),
  ],
);

/**
 * Quota of an account: one row per subscription month and one per credit grant. The remaining documents are
 * `docs - docs_held - docs_settled`; every change of `docs_held` or `docs_settled` has a ledger entry.
 */
export const allowances = pgTable(
  'allowances',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    kind: text('kind', { enum: ['subscription', 'credits'] }).notNull(),
    docs: integer('docs').notNull(),
    templates: integer('templates').notNull().default(0),
    docsHeld: integer('docs_held').notNull().default(0),
    docsSettled: integer('docs_settled').notNull().default(0),
    startsAt: time('starts_at').notNull(),
    endsAt: time('ends_at'),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('allowances_month').on(table.accountId, table.startsAt).where(sql`${table.kind} = 'subscription'`),
    index('allowances_account').on(table.accountId, table.endsAt),
    check(
      'allowances_sizes',
      sql`${table.docs} >= 0 and ${table.templates} >= 0 and ${table.docsHeld} >= 0 and ${table.docsSettled} >= 0`,
    ),
  ],
);

/**
 * Append only. Each document has one `reserve`, then exactly one `settle` or `release`. A `refund` may follow a
 * `settle` when the finished file was lost before the caller received it.
 */
export const ledger = pgTable(
  'ledger',
  {
    id: bigserial('id', { mode: 'number' }),
    accountId: accountId(),
    documentId: text('generation_id').notNull(),
    // No foreign key: its check locks the allowance for each entry, which makes batches slow while other requests
    // update the same allowance. Allowances are never deleted.
    allowanceId: text('allowance_id').notNull(),
    kind: text('kind', { enum: ['reserve', 'settle', 'release', 'refund'] }).notNull(),
    units: integer('units').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.documentId, table.kind] }),
    uniqueIndex('ledger_end').on(table.documentId).where(sql`${table.kind} in ('settle', 'release')`),
    index('ledger_account').on(table.accountId, table.createdAt),
    check('ledger_units', sql`${table.units} > 0`),
  ],
);
