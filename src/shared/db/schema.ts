import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { ErrorRecord } from '../errors.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  templateCount: integer('template_count').notNull().default(0),
  createdAt: time('created_at').notNull().defaultNow(),
});

const accountId = () =>
  text('account_id')
    .notNull()
    .references(() => accounts.id);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    publicId: text('public_id').notNull(),
    secretHash: bytes('secret_hash').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
    expiresAt: time('expires_at'),
    revokedAt: time('revoked_at'),
  },
  (table) => [uniqueIndex('api_keys_public_id').on(table.publicId), index('api_keys_account').on(table.accountId)],
);

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
 * What an account may use: one row per subscription month, one per grant of credits. `docs = held + settled + left` for
 * each row, and every change of `held` or `settled` has its row in the ledger.
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

export const templates = pgTable(
  'templates',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    latestVersion: integer('latest_version').notNull().default(1),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    deletedAt: time('deleted_at'),
  },
  (table) => [
    index('templates_account').on(table.accountId, table.id.desc()).where(sql`${table.deletedAt} is null`),
    index('templates_deleted').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
  ],
);

export const templateVersions = pgTable(
  'template_versions',
  {
    templateId: text('template_id')
      .notNull()
      .references(() => templates.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    objectKey: text('object_key').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    checksum: text('checksum').notNull(),
    tags: jsonb('tags').$type<readonly string[]>().notNull(),
    fonts: jsonb('fonts').$type<readonly string[]>().notNull().default([]),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.version] }),
    uniqueIndex('template_versions_object').on(table.objectKey),
  ],
);

export interface EmailRequest {
  readonly deliveryId: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string | null;
  readonly body: string | null;
}

export interface GenerationWarning {
  readonly code: string;
  readonly message: string;
  readonly part?: string | undefined;
}

export interface GenerationTimings {
  readonly queueMs: number;
  readonly renderMs: number;
  readonly convertMs: number;
  readonly totalMs: number;
}

export interface RecipientResult {
  readonly address: string;
  readonly status: 'pending' | 'sent' | 'failed' | 'deferred' | 'unknown';
  readonly reply?: string | undefined;
}

export const generations = pgTable(
  'generations',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    templateId: text('template_id').notNull(),
    templateVersion: integer('template_version').notNull(),
    templateObjectKey: text('template_object_key').notNull(),
    templateChecksum: text('template_checksum').notNull(),
    format: text('format', { enum: ['docx', 'pdf'] }).notNull(),
    filename: text('filename').notNull(),
    pdfOptions: jsonb('pdf_options').$type<Readonly<Record<string, unknown>>>(),
    email: jsonb('email').$type<EmailRequest>(),
    isKept: boolean('is_kept').notNull().default(false),
    status: text('status', { enum: ['queued', 'running', 'succeeded', 'failed', 'cancelled'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    attemptToken: text('attempt_token'),
    dataChecksum: text('data_checksum').notNull(),
    error: jsonb('error').$type<ErrorRecord>(),
    warnings: jsonb('warnings').$type<readonly GenerationWarning[]>(),
    timings: jsonb('timings').$type<GenerationTimings>(),
    resultKey: text('result_key'),
    resultStore: text('result_store', { enum: ['redis', 'object'] }),
    resultBytes: integer('result_bytes'),
    resultChecksum: text('result_checksum'),
    pages: integer('pages'),
    acceptedAt: time('accepted_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    refundedAt: time('refunded_at'),
    expiresAt: time('expires_at'),
  },
  (table) => [
    index('generations_account').on(table.accountId, table.id.desc()),
    index('generations_unfinished').on(table.acceptedAt).where(sql`${table.status} in ('queued', 'running')`),
    index('generations_expiring').on(table.expiresAt).where(sql`${table.resultStore} = 'object'`),
    index('generations_template').on(table.templateId).where(sql`${table.status} in ('queued', 'running')`),
  ],
);

/**
 * Append only. Each generation has one `reserve`, then exactly one `settle` or one `release`; after a `settle` at most one
 * `refund`, when the finished bytes were lost before they reached the caller.
 */
export const ledger = pgTable(
  'ledger',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    accountId: accountId(),
    generationId: text('generation_id').notNull(),
    allowanceId: text('allowance_id')
      .notNull()
      .references(() => allowances.id),
    kind: text('kind', { enum: ['reserve', 'settle', 'release', 'refund'] }).notNull(),
    units: integer('units').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('ledger_reserve').on(table.generationId).where(sql`${table.kind} = 'reserve'`),
    uniqueIndex('ledger_end').on(table.generationId).where(sql`${table.kind} in ('settle', 'release')`),
    uniqueIndex('ledger_refund').on(table.generationId).where(sql`${table.kind} = 'refund'`),
    index('ledger_account').on(table.accountId, table.createdAt),
    check('ledger_units', sql`${table.units} > 0`),
  ],
);

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

export const deliveries = pgTable(
  'deliveries',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    generationId: text('generation_id')
      .notNull()
      .references(() => generations.id),
    status: text('status', {
      enum: ['pending', 'sending', 'transmitting', 'sent', 'partial', 'failed', 'unknown'],
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
    index('deliveries_unfinished')
      .on(table.nextAttemptAt)
      .where(sql`${table.status} in ('pending', 'sending', 'transmitting')`),
    index('deliveries_generation').on(table.generationId),
  ],
);

/** Documents that killed or hung a LibreOffice slot, by what they were made of. Two strikes are a quarantine. */
export const conversionStrikes = pgTable('conversion_strikes', {
  fingerprint: text('fingerprint').primaryKey(),
  accountId: accountId(),
  strikes: integer('strikes').notNull(),
  generationId: text('generation_id').notNull(),
  templateId: text('template_id').notNull(),
  templateVersion: integer('template_version').notNull(),
  reason: text('reason').notNull(),
  evidenceKey: text('evidence_key'),
  sizeBytes: bigint('size_bytes', { mode: 'number' }),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});
