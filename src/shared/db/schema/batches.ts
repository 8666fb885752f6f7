import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ErrorRecord } from '../../errors.ts';
import { accountId } from './accounts.ts';
import { listed, time } from './columns.ts';
import { generations } from './generations.ts';

/** One finished file of a batch: a zip, or a volume of the merged PDF. */
export interface BatchFile {
  readonly name: string;
  readonly objectKey: string;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly checksum: string;
  readonly contentType: string;
  /** The rows it holds, counted from 1. */
  readonly firstRow: number;
  readonly lastRow: number;
}

/**
 * One order of many documents. Each row of it is a generation of its own, linked by `batch_rows`; this table holds what
 * they share. `accepted` and `running` batches are dispatched; `bundling` ones have all rows ended.
 */
export const batches = pgTable(
  'batches',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    templateId: text('template_id').notNull(),
    templateVersion: integer('template_version').notNull(),
    format: text('format', { enum: ['docx', 'pdf'] }).notNull(),
    bundle: text('bundle', { enum: ['zip', 'pdf', 'none'] }).notNull(),
    bundleName: text('bundle_name').notNull(),
    status: text('status', {
      enum: ['accepted', 'running', 'bundling', 'completed', 'cancelled', 'failed'],
    }).notNull(),
    rows: integer('rows').notNull(),
    maxFailures: integer('max_failures'),
    callbackUrl: text('callback_url'),
    /** The text of the e-mails of all rows that have none of their own. */
    emailBody: text('email_body'),
    /** The rows' data, one JSON object after the other; `batch_rows` tells where each begins. */
    inputKey: text('input_key').notNull(),
    inputBytes: bigint('input_bytes', { mode: 'number' }).notNull(),
    error: jsonb('error').$type<ErrorRecord>(),
    /** Fences bundlers: only the holder of the last token finishes the batch. */
    bundleToken: text('bundle_token'),
    bundleAttempts: integer('bundle_attempts').notNull().default(0),
    files: jsonb('files').$type<readonly BatchFile[]>(),
    acceptedAt: time('accepted_at').notNull(),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    expiresAt: time('expires_at'),
  },
  (table) => [
    index('batches_account').on(table.accountId, listed(table.status), table.id.desc()),
    index('batches_template').on(table.templateId, listed(table.status), table.id.desc()),
    index('batches_unfinished').on(table.acceptedAt).where(sql`${table.status} in ('accepted', 'running', 'bundling')`),
    index('batches_expiring').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
  ],
);

/** Row by row, what a batch is made of. A row that is tried again gets another generation; the last one counts. */
export const batchRows = pgTable(
  'batch_rows',
  {
    batchId: text('batch_id')
      .notNull()
      .references(() => batches.id),
    /** Counted from 1, in the order of the request. */
    row: integer('row').notNull(),
    generationId: text('generation_id')
      .notNull()
      .references(() => generations.id),
    dataOffset: bigint('data_offset', { mode: 'number' }).notNull(),
    dataBytes: integer('data_bytes').notNull(),
    /** When its generation was last handed to its lane; null while it waits its turn. */
    dispatchedAt: time('dispatched_at'),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.row] }),
    uniqueIndex('batch_rows_generation').on(table.generationId),
    index('batch_rows_waiting').on(table.batchId, table.row).where(sql`${table.dispatchedAt} is null`),
  ],
);

/**
 * The rows that are with their lane now: what bounds the number, and what their accounts are charged for. A row leaves when
 * its document has ended.
 */
export const batchFlights = pgTable('batch_flights', {
  generationId: text('generation_id')
    .primaryKey()
    .references(() => generations.id),
  batchId: text('batch_id').notNull(),
  accountId: text('account_id').notNull(),
  lane: text('lane', { enum: ['docx', 'pdf'] }).notNull(),
  dataBytes: integer('data_bytes').notNull(),
  /** Working time it was charged for when it left, in microseconds; what it took in the end replaces that. */
  chargedUs: bigint('charged_us', { mode: 'number' }).notNull(),
  dispatchedAt: time('dispatched_at').notNull(),
});

/** Whose turn it is: each row moves its account's pass on by its working time over the account's weight; the lowest goes next. */
export const batchTurns = pgTable(
  'batch_turns',
  {
    accountId: accountId(),
    lane: text('lane', { enum: ['docx', 'pdf'] }).notNull(),
    weight: integer('weight').notNull().default(1),
    /** Microseconds of working time over the weight, from wherever the others were when it joined. */
    pass: bigint('pass', { mode: 'number' }).notNull().default(0),
    /** Has rows that wait or are under way; who had none joins at the lowest pass of those that have. */
    isActive: boolean('is_active').notNull().default(false),
    /** Working time of a row, smoothed; null until one has ended. */
    costUs: bigint('cost_us', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.lane] })],
);
