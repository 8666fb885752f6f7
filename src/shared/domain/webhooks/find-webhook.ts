import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import {
  toWebhookRecord,
  type WebhookRecord,
  type WebhookRow,
  webhookColumns,
  webhookNotFound,
} from './webhook-record.ts';

/** The account's endpoint, or what signs its callbacks; another account's and an unknown one are both `not_found`. */
export async function findWebhook(db: Executor, accountId: string, id: string): Promise<WebhookRecord> {
  const [row] = await run<WebhookRow>(
    db,
    sql`select ${webhookColumns} from webhook_endpoints where id = ${id} and account_id = ${accountId}`,
  );
  if (row === undefined) throw webhookNotFound();
  return toWebhookRecord(row);
}

/** Every endpoint of the account, newest first. */
export async function listWebhooks(db: Executor, accountId: string): Promise<readonly WebhookRecord[]> {
  const rows = await run<WebhookRow>(
    db,
    sql`select ${webhookColumns} from webhook_endpoints where account_id = ${accountId} and kind = 'endpoint'
      order by id desc`,
  );
  return rows.map(toWebhookRecord);
}
