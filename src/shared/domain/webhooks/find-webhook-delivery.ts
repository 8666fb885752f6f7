import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { newestIds } from '../../db/newest-ids.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import {
  selectWebhookDeliveries,
  toWebhookDelivery,
  type WebhookDeliveryRecord,
  type WebhookDeliveryRow,
  type WebhookDeliveryStatus,
} from './webhook-delivery-record.ts';

/** The account's delivery of that webhook; all others are `not_found`. */
export async function findWebhookDelivery(
  db: Executor,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<WebhookDeliveryRecord> {
  const [row] = await run<WebhookDeliveryRow>(
    db,
    sql`${selectWebhookDeliveries}
      where d.id = ${id} and d.endpoint_id = ${webhookId} and d.account_id = ${accountId}`,
  );
  if (row === undefined) throw new AppError('not_found', 'There is no delivery with this id');
  return toWebhookDelivery(row);
}

export interface WebhookDeliveryPage {
  readonly accountId: string;
  readonly webhookId: string;
  readonly limit: number;
  /** The id that the page before ended with. */
  readonly before?: string | undefined;
  readonly status?: WebhookDeliveryStatus | undefined;
}

const allStatuses: readonly WebhookDeliveryStatus[] = ['pending', 'sending', 'delivered', 'failed'];

/** A page of a webhook's deliveries, newest first, and the id to go on from when there are more. */
export async function listWebhookDeliveries(
  db: Executor,
  { accountId, webhookId, limit, before, status }: WebhookDeliveryPage,
): Promise<{ readonly deliveries: readonly WebhookDeliveryRecord[]; readonly next: string | undefined }> {
  const ids = newestIds({
    table: sql`webhook_deliveries`,
    owner: sql`endpoint_id = ${webhookId}`,
    statuses: status === undefined ? allStatuses : [status],
    before,
    limit,
  });
  const rows = await run<WebhookDeliveryRow>(
    db,
    sql`${selectWebhookDeliveries} where d.id = any(array(${ids})) and d.account_id = ${accountId} order by d.id desc`,
  );
  const deliveries = rows.slice(0, limit).map(toWebhookDelivery);
  return { deliveries, next: rows.length > limit ? deliveries.at(-1)?.id : undefined };
}
