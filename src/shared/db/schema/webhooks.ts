import { sql } from 'drizzle-orm';
import { check, index, integer, json, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../json.ts';
import { accountId } from './accounts.ts';
import { indexedStatus, time } from './columns.ts';

/**
 * Endpoints that receive an account's events. The single row of kind `callbacks` has no URL: it holds the secret that
 * signs requests to the `callbackUrl` of a request. `secret` is encrypted when `WEBHOOK_SECRET_KEY` is set.
 */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    kind: text('kind', { enum: ['endpoint', 'callbacks'] }).notNull(),
    url: text('url'),
    description: text('description'),
    events: jsonb('events').$type<readonly string[]>().notNull(),
    status: text('status', { enum: ['enabled', 'disabled'] }).notNull(),
    disabledReason: text('disabled_reason'),
    failingSince: time('failing_since'),
    secret: text('secret').notNull(),
    /** Previous secrets that are still used for signing, newest first, separated by spaces. */
    previousSecret: text('previous_secret'),
    previousSecretUntil: time('previous_secret_until'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    index('webhook_endpoints_account').on(table.accountId),
    uniqueIndex('webhook_endpoints_callbacks').on(table.accountId).where(sql`${table.kind} = 'callbacks'`),
    check('webhook_endpoints_address', sql`(${table.kind} = 'endpoint') = (${table.url} is not null)`),
  ],
);

/** The outbox: events with subscribers, written in the transaction that causes them. `onceKey` prevents duplicates. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    type: text('type').notNull(),
    data: json('data').$type<JsonObject>().notNull(),
    onceKey: text('once_key'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('webhook_events_once').on(table.accountId, table.onceKey).where(sql`${table.onceKey} is not null`),
    index('webhook_events_created').on(table.createdAt).where(sql`${table.onceKey} is null`),
    index('webhook_events_once_created').on(table.createdAt).where(sql`${table.onceKey} is not null`),
  ],
);

/** One event for one endpoint. The limit on parallel requests applies per `target`. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    eventId: text('event_id')
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    callbackUrl: text('callback_url'),
    target: text('target').notNull(),
    status: text('status', { enum: ['pending', 'sending', 'delivered', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    attemptToken: text('attempt_token'),
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    error: text('error'),
    durationMs: integer('duration_ms'),
    createdAt: time('created_at').notNull(),
    nextAttemptAt: time('next_attempt_at').notNull(),
    lockedUntil: time('locked_until'),
    finishedAt: time('finished_at'),
  },
  (table) => [
    index('webhook_deliveries_endpoint').on(table.endpointId, indexedStatus(table.status), table.id.desc()),
    index('webhook_deliveries_event').on(table.eventId),
    index('webhook_deliveries_pending')
      .on(table.accountId, table.target, table.nextAttemptAt)
      .where(sql`${table.status} = 'pending'`),
    index('webhook_deliveries_sending').on(table.accountId).where(sql`${table.status} = 'sending'`),
  ],
);
