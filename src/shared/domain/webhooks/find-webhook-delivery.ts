import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
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

/** A page of a webhook's deliveries, newest first, and the id to go on from when there are more. */
export async function listWebhookDeliveries(
  db: Executor,
  page: WebhookDeliveryPage,
): Promise<{ readonly deliveries: readonly WebhookDeliveryRecord[]; readonly next: string | undefined }> {
  const rows = await run<WebhookDeliveryRow>(
    db,
    sql`${selectWebhookDeliveries} where d.endpoint_id = ${page.webhookId} and d.account_id = ${page.accountId}
        ${page.before === undefined ? sql`` : sql`and d.id < ${page.before}`}
        ${page.status === undefined ? sql`` : sql`and d.status = ${page.status}`}
      order by d.id desc limit ${page.limit + 1}`,
  );
  const deliveries = rows.slice(0, page.limit).map(toWebhookDelivery);
  return { deliveries, next: rows.length > page.limit ? deliveries.at(-1)?.id : undefined };
}
