import { and, desc, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { columnList, isOneOf } from '../../db/column-names.ts';
import { newestIds } from '../../db/newest-ids.ts';
import { webhookDeliveries, webhookEvents } from '../../db/schema/webhooks.ts';
import { execute, nowOr, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { JsonObject } from '../../json.ts';
import { testEventType } from './event-outbox.ts';
import { findWebhook, webhookNotFound } from './find-webhooks.ts';

export type WebhookDeliveryStatus = (typeof webhookDeliveries.$inferSelect)['status'];

export interface WebhookDeliveryRecord {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The body, which is the same for every attempt. */
  readonly body: string;
  readonly callbackUrl: string | undefined;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  readonly response: { readonly status: number; readonly body: string } | undefined;
  /** Why the last attempt failed. */
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  readonly finishedAt: Date | undefined;
}

function selectDeliveries(db: Executor) {
  const { id, endpointId, eventId, callbackUrl, status, attempts } = webhookDeliveries;
  const { responseStatus, responseBody, error, durationMs, createdAt, nextAttemptAt, finishedAt } = webhookDeliveries;
  return db
    .select({
      id,
      webhookId: endpointId,
      eventId,
      eventType: webhookEvents.type,
      data: webhookEvents.data,
      eventAt: webhookEvents.createdAt,
      callbackUrl,
      status,
      attempts,
      responseStatus,
      responseBody,
      error,
      durationMs,
      createdAt,
      nextAttemptAt,
      finishedAt,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, eventId))
    .$dynamic();
}

/** The body that is signed and sent for an event. */
export function eventBody(event: {
  readonly type: string;
  readonly data: JsonObject;
  readonly createdAt: Date;
}): string {
  return JSON.stringify({ type: event.type, timestamp: event.createdAt.toISOString(), data: event.data });
}

type Row = Awaited<ReturnType<typeof selectDeliveries>>[number];

function toRecord({ responseStatus, responseBody, data, eventAt, ...row }: Row): WebhookDeliveryRecord {
  return {
    ...row,
    body: eventBody({ type: row.eventType, data, createdAt: eventAt }),
    callbackUrl: row.callbackUrl ?? undefined,
    response: responseStatus === null ? undefined : { status: responseStatus, body: responseBody ?? '' },
    error: row.error ?? undefined,
    durationMs: row.durationMs ?? undefined,
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt : undefined,
    finishedAt: row.finishedAt ?? undefined,
  };
}

/** The account's delivery of that webhook. Throws `not_found` for any other id. */
export async function findWebhookDelivery(
  db: Executor,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<WebhookDeliveryRecord> {
  const d = webhookDeliveries;
  const isOwn = and(eq(d.id, id), eq(d.endpointId, webhookId), eq(d.accountId, accountId));
  const [row] = await run(db, selectDeliveries(db).where(isOwn));
  if (row === undefined) throw new AppError('not_found', 'There is no delivery with this id');
  return toRecord(row);
}

export interface WebhookDeliveryPage {
  readonly accountId: string;
  readonly webhookId: string;
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
  readonly status?: WebhookDeliveryStatus | undefined;
}

const allStatuses: readonly WebhookDeliveryStatus[] = ['pending', 'sending', 'delivered', 'failed'];

/** A page of a webhook's deliveries, newest first; `next` is the last id when there are more. */
export async function listWebhookDeliveries(
  db: Executor,
  { accountId, webhookId, limit, before, status }: WebhookDeliveryPage,
): Promise<{ readonly deliveries: readonly WebhookDeliveryRecord[]; readonly next: string | undefined }> {
  const d = webhookDeliveries;
  const ids = newestIds({
    table: d,
    owner: eq(d.endpointId, webhookId),
    statuses: status === undefined ? allStatuses : [status],
    before,
    limit,
  });
  const rows = await run(
    db,
    selectDeliveries(db)
      .where(and(sql`${d.id} = any(array(${ids}))`, eq(d.accountId, accountId)))
      .orderBy(desc(d.id)),
  );
  const deliveries = rows.slice(0, limit).map(toRecord);
  return { deliveries, next: rows.length > limit ? deliveries.at(-1)?.id : undefined };
}

const webhookDisabled = (): AppError => new AppError('conflict', 'This webhook is disabled. Enable it first.');

/** Writes a `webhook.test` event for one endpoint. Throws `conflict` if it is disabled. */
export async function startTest(db: Executor, accountId: string, webhookId: string, deliveryId: string): Promise<void> {
  const { kind, status } = await findWebhook(db, accountId, webhookId);
  if (kind !== 'endpoint') throw webhookNotFound();
  if (status === 'disabled') throw webhookDisabled();
  const data = JSON.stringify({ webhookId, message: 'This is a test' });
  const [e, d] = [webhookEvents, webhookDeliveries];
  const deliveryColumns = columnList(
    ...[d.id, d.accountId, d.eventId, d.endpointId, d.target, d.status, d.createdAt, d.nextAttemptAt],
  );
  await execute(
    db,
    sql`with event as (
        insert into ${webhookEvents} ${columnList(e.id, e.accountId, e.type, e.data, e.createdAt)}
        values (${newId('evt')}, ${accountId}, ${testEventType}, ${data}::json, ${nowOr()}) returning ${e.id} as id
      )
      insert into ${webhookDeliveries} ${deliveryColumns}
      select ${deliveryId}, ${accountId}, event.id, ${webhookId}, ${webhookId}, 'pending', ${nowOr()}, ${nowOr()} from event`,
  );
}

/**
 * Sends a finished delivery again with the same `webhook-id`. Throws `conflict` while it is in progress or the webhook
 * is disabled.
 */
export async function redeliver(db: Executor, accountId: string, webhookId: string, id: string): Promise<void> {
  await findWebhookDelivery(db, accountId, webhookId, id);
  if ((await findWebhook(db, accountId, webhookId)).status === 'disabled') throw webhookDisabled();
  const d = webhookDeliveries;
  const rows = await run(
    db,
    db
      .update(webhookDeliveries)
      .set({ status: 'pending', attempts: 0, nextAttemptAt: nowOr(), finishedAt: null, lockedUntil: null })
      .where(and(eq(d.id, id), eq(d.accountId, accountId), isOneOf(d.status, 'delivered', 'failed')))
      .returning({ id: d.id }),
  );
  if (rows.length === 0)
    throw new AppError('conflict', 'This delivery is still in progress. Try again when it has ended.');
}
