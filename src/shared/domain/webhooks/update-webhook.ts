import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import type { EventType } from './event-types.ts';
import {
  toWebhookRecord,
  type WebhookRecord,
  type WebhookRow,
  webhookColumns,
  webhookNotFound,
} from './webhook-record.ts';

/** What is not given stays as it is. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly EventType[] | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
}

/** Changes an endpoint; enabling it, also again, forgets why it was disabled and since when it has been failing. */
export async function updateWebhook(
  db: Executor,
  accountId: string,
  id: string,
  changes: WebhookChanges,
): Promise<WebhookRecord> {
  const { url, description, events, status } = changes;
  const reason = status === 'disabled' ? 'Disabled by request' : null;
  const [row] = await run<WebhookRow>(
    db,
    sql`update webhook_endpoints set url = coalesce(${url ?? null}, url),
        description = coalesce(${description ?? null}, description),
        events = coalesce(${events === undefined ? null : JSON.stringify(events)}::jsonb, events),
        status = coalesce(${status ?? null}, status),
        disabled_reason = case when ${status !== undefined} then ${reason} else disabled_reason end,
        failing_since = case when ${status !== undefined} then null else failing_since end, updated_at = ${nowOr()}
      where id = ${id} and account_id = ${accountId} and kind = 'endpoint' returning ${webhookColumns}`,
  );
  if (row === undefined) throw webhookNotFound();
  return toWebhookRecord(row);
}
