import { boolean, date, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, time } from './columns.ts';

export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  templateCount: integer('template_count').notNull().default(0),
  createdAt: time('created_at').notNull().defaultNow(),
  /** The account's own e-mail limits, which replace those of the service; 0 for no limit. */
  emailRecipientsPerDay: integer('email_recipients_per_day'),
  emailsPerRecipientPerDay: integer('emails_per_recipient_per_day'),
  /** Whether a new version of a template is a draft until another person approves it. */
  needsApproval: boolean('needs_approval').notNull().default(false),
  /** While set, the account's keys are rejected and its batches wait. */
  suspendedAt: time('suspended_at'),
  /** The start of its deletion, which cannot be undone. */
  deletingSince: time('deleting_since'),
  /** A deleted account keeps only this row, without its name, and its monthly totals. */
  deletedAt: time('deleted_at'),
});

/** The account a row belongs to. */
export const accountId = () =>
  text('account_id')
    .notNull()
    .references(() => accounts.id);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    /** A label for people. */
    name: text('name'),
    /** Null for every scope, including those of later releases. */
    scopes: text('scopes').array(),
    /** Documents of a test key are free and carry a watermark. */
    isTest: boolean('is_test').notNull().default(false),
    publicId: text('public_id').notNull(),
    secretHash: bytes('secret_hash').notNull(),
    /** The key before its rotation, valid until `previousExpiresAt`. */
    previousPublicId: text('previous_public_id'),
    previousSecretHash: bytes('previous_secret_hash'),
    previousExpiresAt: time('previous_expires_at'),
    createdAt: time('created_at').notNull().defaultNow(),
    expiresAt: time('expires_at'),
    revokedAt: time('revoked_at'),
    /** Documents the key may request in a calendar month (UTC); null for no limit beyond the account's quota. */
    docsPerMonth: integer('docs_per_month'),
    /** A person who signs in: the id of the provider, and who that provider says it is. Nobody knows the secret. */
    provider: text('provider'),
    subject: text('subject'),
    email: text('email'),
    /** The person's roles at the last sign-in, of which `scopes` are those. */
    roles: text('roles').array(),
    /** The person's sessions that began by then have ended. */
    accessEndedAt: time('access_ended_at'),
    /** The person who is responsible for this key. */
    ownerId: text('owner_id'),
  },
  (table) => [
    uniqueIndex('api_keys_public_id').on(table.publicId),
    uniqueIndex('api_keys_previous_public_id').on(table.previousPublicId),
    index('api_keys_account').on(table.accountId),
    uniqueIndex('api_keys_person').on(table.accountId, table.provider, table.subject),
  ],
);

/** Documents requested with a budgeted key in a calendar month (UTC), less refunds. */
export const keySpending = pgTable(
  'key_spending',
  {
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id),
    month: date('month').notNull(),
    docs: integer('docs').notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.month] })],
);
