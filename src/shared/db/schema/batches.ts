import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ErrorRecord } from '../../errors.ts';
import type { RequestTrace } from '../../request-trace.ts';
import { accountId } from './accounts.ts';
import { indexedStatus, time } from './columns.ts';

/** One finished file of a batch: a zip, or a volume of the merged PDF. */
export interface BatchFile {
  readonly name: string;
  readonly objectKey: string;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly checksum: string;
  readonly contentType: string;
  /** First and last row in the file, counted from 1. */
  readonly firstRow: number;
  readonly lastRow: number;
}

/**
 * One request for many documents. Each row is a document, linked by `batch_rows`; this table holds what the rows
 * share. `accepted` and `running` batches are dispatched; all rows of `bundling` ones have ended.
 */
export const batches = pgTable(
  'batches',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    templateId: text('template_id').notNull(),
    templateVersion: integer('template_version').notNull(),
    format: text('format', { enum: ['docx', 'pdf', 'xml'] }).notNull(),
    bundle: text('bundle', { enum: ['zip', 'pdf', 'none'] }).notNull(),
    bundleName: text('bundle_name').notNull(),
    status: text('status', {
      enum: ['accepted', 'running', 'bundling', 'completed', 'cancelled', 'failed'],
    }).notNull(),
    rows: integer('rows').notNull(),
    maxFailures: integer('max_failures'),
    callbackUrl: text('callback_url'),
    trace: jsonb('trace').$type<RequestTrace>(),
    /** E-mail text for rows without their own. */
    emailBody: text('email_body'),
    /** Object with the rows' data: concatenated JSON objects at the offsets in `batch_rows`. */
    inputKey: text('input_key').notNull(),
    inputBytes: bigint('input_bytes', { mode: 'number' }).notNull(),
    error: jsonb('error').$type<ErrorRecord>(),
    /** Fencing token: only the latest attempt at the bundle can finish the batch. */
    bundleToken: text('bundle_token'),
    bundleAttempts: integer('bundle_attempts').notNull().default(0),
    files: jsonb('files').$type<readonly BatchFile[]>(),
    acceptedAt: time('accepted_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    expiresAt: time('expires_at'),
  },
  (table) => [
    index('batches_account').on(table.accountId, indexedStatus(table.status), table.id.desc()),
    index('batches_template').on(table.templateId, indexedStatus(table.status), table.id.desc()),
    index('batches_open')
      .on(table.format, table.accountId, table.acceptedAt, table.id)
      .where(sql`${table.status} in ('accepted', 'running')`),
    index('batches_bundling').on(table.acceptedAt, table.id).where(sql`${table.status} = 'bundling'`),
    index('batches_aborted').on(table.finishedAt, table.id).where(sql`${table.status} in ('cancelled', 'failed')`),
    index('batches_expiring').on(table.expiresAt, table.id).where(sql`${table.expiresAt} is not null`),
  ],
);

/** The rows of a batch. A retried row points to a new document. */
export const batchRows = pgTable(
  'batch_rows',
  {
    batchId: text('batch_id')
      .notNull()
      .references(() => batches.id),
    /** Counted from 1, in the order of the request. */
    row: integer('row').notNull(),
    documentId: text('generation_id').notNull(),
    dataOffset: bigint('data_offset', { mode: 'number' }).notNull(),
    dataBytes: integer('data_bytes').notNull(),
    /** When its document was last enqueued; null while it waits for the dispatcher. */
    dispatchedAt: time('dispatched_at'),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.row] }),
    uniqueIndex('batch_rows_generation').on(table.documentId),
    index('batch_rows_waiting').on(table.batchId, table.row).where(sql`${table.dispatchedAt} is null`),
  ],
);

/**
 * Rows that are in a batch queue or being processed. They count towards the window and are charged to their account.
 */
export const batchInFlightRows = pgTable('batch_in_flight_rows', {
  documentId: text('generation_id').primaryKey(),
  batchId: text('batch_id').notNull(),
  accountId: text('account_id').notNull(),
  /** The queue: a format, and for rows of a pinned template also its engine, such as pdf@25.2. */
  format: text('format').$type<'docx' | 'pdf' | 'xml' | `pdf@${string}`>().notNull(),
  dataBytes: integer('data_bytes').notNull(),
  /** Estimated working time charged at dispatch, in microseconds. The actual time replaces it when the row ends. */
  chargedUs: bigint('charged_us', { mode: 'number' }).notNull(),
  dispatchedAt: time('dispatched_at').notNull(),
});

/** The state of the fair-share scheduler (see `schedule`): the account with the lowest virtual time goes next. */
export const batchShares = pgTable(
  'batch_shares',
  {
    accountId: accountId(),
    /** The queue, as in `batch_in_flight_rows`. */
    format: text('format').$type<'docx' | 'pdf' | 'xml' | `pdf@${string}`>().notNull(),
    weight: integer('weight').notNull().default(1),
    /**
     * Microseconds of working time divided by the weight, counted from the virtual time at which the account joined.
     */
    virtualTime: bigint('virtual_time', { mode: 'number' }).notNull().default(0),
    /**
     * True while rows wait or are in flight. An inactive account joins at the lowest virtual time of the active ones.
     */
    isActive: boolean('is_active').notNull().default(false),
    /** Moving average of a row's working time, in microseconds; null until one has ended. */
    costUs: bigint('cost_us', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.format] })],
);
