import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';
import { time } from './columns.ts';

/** The words by locale and key. */
export type DictionaryWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * An account's words for the `translate` formatter. A row never changes: replaced dictionaries are kept for documents
 * accepted before.
 */
export const dictionaries = pgTable(
  'dictionaries',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    words: jsonb('words').$type<DictionaryWords>().notNull(),
    /** Length of the words as JSON, and its SHA-256, hex. */
    sizeBytes: integer('size_bytes').notNull(),
    checksum: text('checksum').notNull(),
    createdAt: time('created_at').notNull(),
    /** When it was replaced or deleted. */
    replacedAt: time('replaced_at'),
  },
  (table) => [
    uniqueIndex('dictionaries_current').on(table.accountId).where(sql`${table.replacedAt} is null`),
    index('dictionaries_account').on(table.accountId, table.createdAt.desc()),
    index('dictionaries_replaced').on(table.replacedAt, table.id).where(sql`${table.replacedAt} is not null`),
  ],
);
