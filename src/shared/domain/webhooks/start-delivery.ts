import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { testEventType } from './event-types.ts';
import { findWebhook } from './find-webhook.ts';
import { findWebhookDelivery } from './find-webhook-delivery.ts';
import { webhookNotFound } from './webhook-record.ts';

const mustBeEnabled = (): AppError => new AppError('conflict', 'This webhook is disabled. Enable it first.');

/** Writes a `webhook.test` event for one endpoint; refused while that is disabled. */
export async function startTest(db: Executor, accountId: string, webhookId: string, deliveryId: string): Promise<void> {
  const { kind, status } = await findWebhook(db, accountId, webhookId);
  if (kind !== 'endpoint') throw webhookNotFound();
  if (status === 'disabled') throw mustBeEnabled();
  const data = JSON.stringify({ webhookId, message: 'This is a test' });
  await run(
    db,
    sql`with event as (
        insert into webhook_events (id, account_id, type, data, created_at)
        values (${newId('evt')}, ${accountId}, ${testEventType}, ${data}::json, ${nowOr()}) returning id
      )
      insert into webhook_deliveries (id, account_id, event_id, endpoint_id, target, status, created_at, next_attempt_at)
      select ${deliveryId}, ${accountId}, event.id, ${webhookId}, ${webhookId}, 'pending', ${nowOr()}, ${nowOr()} from event`,
  );
}

/** Starts an ended delivery anew, under the same `webhook-id`; refused while it is under way or its webhook disabled. */
export async function redeliver(db: Executor, accountId: string, webhookId: string, id: string): Promise<void> {
  await findWebhookDelivery(db, accountId, webhookId, id);
  if ((await findWebhook(db, accountId, webhookId)).status === 'disabled') throw mustBeEnabled();
  const rows = await run(
    db,
    sql`update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = ${nowOr()}, finished_at = null,
        locked_until = null
      where id = ${id} and account_id = ${accountId} and status in ('delivered', 'failed') returning id`,
  );
  if (rows.length === 0) throw new AppError('conflict', 'This delivery is still under way');
}
