import { sql } from 'drizzle-orm';
import { date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';
import { time } from './columns.ts';

export interface RecipientResult {
  readonly address: string;
  readonly status: 'pending' | 'sent' | 'failed' | 'deferred' | 'unknown' | 'skipped';
  readonly reply?: string | undefined;
  /**
   * The header that names the recipient. Absent in the delivery of the original request, whose e-mail options name it.
   */
  readonly field?: 'to' | 'cc' | 'bcc' | undefined;
}

export const deliveries = pgTable(
  'deliveries',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    documentId: text('generation_id').notNull(),
    /** `skipped`: the document was requested with a test key, so nothing is sent. */
    status: text('status', {
      enum: ['pending', 'sending', 'transmitting', 'sent', 'partial', 'failed', 'unknown', 'skipped'],
    }).notNull(),
    messageId: text('message_id').notNull(),
    recipients: jsonb('recipients').$type<readonly RecipientResult[]>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    attemptToken: text('attempt_token'),
    lastReply: text('last_reply'),
    createdAt: time('created_at').notNull(),
    nextAttemptAt: time('next_attempt_at').notNull(),
    lockedUntil: time('locked_until'),
    finishedAt: time('finished_at'),
  },
  (table) => [
    index('deliveries_account').on(table.accountId, table.id.desc()),
    index('deliveries_pending').on(table.nextAttemptAt, table.id).where(sql`${table.status} = 'pending'`),
    index('deliveries_sending').on(table.lockedUntil).where(sql`${table.status} in ('sending', 'transmitting')`),
    index('deliveries_generation').on(table.documentId),
  ],
);

/**
 * Messages that an account has requested on a day (UTC), by recipient. Rows of past days are removed. Stored here and
 * not in Redis, which may be emptied at any time, so that counters change in the same transaction that accepts the
 * document.
 */
export const emailCounts = pgTable(
  'email_counts',
  {
    day: date('day').notNull(),
    accountId: accountId(),
    /** SHA-256 of the mailbox; empty for the total of all recipients. */
    recipient: text('recipient').notNull(),
    messages: integer('messages').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.accountId, table.recipient] })],
);
