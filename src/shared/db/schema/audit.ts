import { bigint, date, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/**
 * Changes by operators, and people's sign-ins. Append only: a trigger rejects UPDATE and TRUNCATE, and DELETE of rows younger than a year.
 * Contains ids and numbers, never names, addresses or secrets. References no other table, so that it outlives the
 * account.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: text('id').primaryKey(),
    at: time('at').notNull().defaultNow(),
    /** The name that the operator gave. */
    actor: text('actor'),
    osUser: text('os_user').notNull(),
    host: text('host').notNull(),
    /** The command. */
    action: text('action').notNull(),
    accountId: text('account_id'),
    /** The id of the changed object. */
    target: text('target'),
    options: jsonb('options').$type<Readonly<Record<string, string>>>().notNull(),
    outcome: text('outcome', { enum: ['started', 'succeeded', 'failed'] }).notNull(),
    /** For an action in several steps, how much was changed, such as the number of erased documents. */
    counts: jsonb('counts').$type<Readonly<Record<string, number>>>(),
    /** The error code, if the action failed. */
    error: text('error'),
    /** For an action in several steps, the row that recorded its start. */
    startId: text('start_id'),
  },
  (table) => [
    index('audit_log_account').on(table.accountId, table.id.desc()),
    index('audit_log_action').on(table.action, table.id.desc()),
  ],
);

/** Requests per key, scope and day (UTC). */
export const keyUse = pgTable(
  'key_use',
  {
    keyId: text('key_id').notNull(),
    day: date('day').notNull(),
    scope: text('scope').notNull(),
    accountId: text('account_id').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    firstAt: time('first_at').notNull(),
    lastAt: time('last_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.day, table.scope] }),
    index('key_use_account').on(table.accountId, table.day),
    index('key_use_day').on(table.day),
  ],
);
