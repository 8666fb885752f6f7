import { sql } from 'drizzle-orm';
import { boolean, check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

/** The number of jobs that recently ended, and of those that failed, by queue. */
export type RecentWork = Readonly<Record<string, { readonly ended: number; readonly failed: number }>>;

/**
 * Queues and accounts that the operator has paused: `queue:<name>` or `account:<id>`. Workers and APIs read all rows
 * every two seconds.
 */
export const pauses = pgTable('pauses', {
  target: text('target').primaryKey(),
  /** Whether the API also rejects new requests for it. */
  isRefusing: boolean('is_refusing').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
});

/** Worker processes. Each updates its row every two seconds and removes it when it ends. */
export const workers = pgTable('workers', {
  id: text('id').primaryKey(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  release: text('release').notNull(),
  queues: text('queues').array().notNull(),
  /** Jobs being processed, by queue. */
  jobs: jsonb('jobs').$type<Readonly<Record<string, number>>>().notNull(),
  /** Jobs that ended within the last two minutes, by queue. */
  recent: jsonb('recent').$type<RecentWork>().notNull().default({}),
  startedAt: time('started_at').notNull().defaultNow(),
  seenAt: time('seen_at').notNull().defaultNow(),
  /** When the operator asked it to finish its jobs and exit. */
  drainRequestedAt: time('drain_requested_at'),
});

/**
 * Documents whose erasure has begun. The rows by which the command found them may already be erased, so its next run
 * finds them here and completes the erasure.
 */
export const pendingErasures = pgTable('pending_erasures', {
  documentId: text('document_id').primaryKey(),
  createdAt: time('created_at').notNull().defaultNow(),
});

/** The database's own identity: a single row, written by the first process that needs it. */
export const installation = pgTable(
  'installation',
  {
    /** Always true. */
    isOnly: boolean('is_only').primaryKey().default(true),
    /** The id in the ownership marker of this database's bucket. Dumps keep it. */
    id: text('id').notNull(),
    /** Since when orphaned objects are kept, because rows that refer to them may be missing. */
    removalsHeldAt: time('removals_held_at'),
  },
  (table) => [check('installation_only', sql`${table.isOnly}`)],
);
