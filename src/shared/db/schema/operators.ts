import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, time } from './columns.ts';

/** Keys of operators for `/v1/admin`. They belong to no account, and only their hash is stored. */
export const operatorKeys = pgTable(
  'operator_keys',
  {
    id: text('id').primaryKey(),
    /** A label for people. */
    name: text('name').notNull(),
    /** Null for every scope, including those of later releases. */
    scopes: text('scopes').array(),
    /** Addresses and CIDR ranges from which it is accepted; null for all. */
    addressRanges: text('address_ranges').array(),
    /** Null for the configured limit. */
    requestsPerMinute: integer('requests_per_minute'),
    publicId: text('public_id').notNull(),
    secretHash: bytes('secret_hash').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
    expiresAt: time('expires_at'),
    /** Written at most once in a minute. */
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
  },
  (table) => [uniqueIndex('operator_keys_public_id').on(table.publicId)],
);

/** The responses to requests of operators with an `Idempotency-Key`. */
export const operatorRequests = pgTable(
  'operator_requests',
  {
    operatorKeyId: text('operator_key_id')
      .notNull()
      .references(() => operatorKeys.id),
    key: text('key').notNull(),
    operation: text('operation').notNull(),
    requestHash: text('request_hash').notNull(),
    /** Encrypted with a key derived from the operator key, which the database does not hold. */
    response: text('response'),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.operatorKeyId, table.key] }),
    index('operator_requests_expiring').on(table.expiresAt),
  ],
);

/** Erasures that operators requested by HTTP. An API process claims and performs each. */
export const erasures = pgTable(
  'erasures',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: ['account', 'document', 'recipient'] }).notNull(),
    /** The id of the account or the document. */
    target: text('target'),
    /** The address to erase, until the erasure has ended. */
    recipient: text('recipient'),
    /** Limits the erasure of an address to an account. */
    withinAccount: text('within_account'),
    state: text('state', { enum: ['waiting', 'running', 'succeeded', 'failed'] })
      .notNull()
      .default('waiting'),
    /** Increases with each claim; writes of earlier claims are refused. */
    token: integer('token').notNull().default(0),
    /** When it may be claimed: for a running one, when its claim ends. Null when it has ended. */
    dueAt: time('due_at').defaultNow(),
    /** What was erased, as the command prints it. */
    result: jsonb('result').$type<Readonly<Record<string, string | number>>>(),
    error: text('error'),
    createdAt: time('created_at').notNull().defaultNow(),
    finishedAt: time('finished_at'),
    /** The operator, for the audit log. */
    operatorKeyId: text('operator_key_id').notNull(),
    address: text('address').notNull(),
    /** The row of the audit log that recorded the start. */
    auditId: text('audit_id').notNull(),
  },
  (table) => [index('erasures_due').on(table.dueAt)],
);
