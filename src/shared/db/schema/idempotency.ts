import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';
import { time } from './columns.ts';

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: accountId(),
    key: text('key').notNull(),
    operation: text('operation').notNull(),
    requestHash: text('request_hash').notNull(),
    resourceId: text('resource_id').notNull(),
    response: jsonb('response').$type<unknown>(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index('idempotency_keys_expiring').on(table.expiresAt),
  ],
);
