import { sql } from 'drizzle-orm';

export type WebhookDeliveryStatus = 'pending' | 'sending' | 'delivered' | 'failed';

export interface WebhookDeliveryRecord {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly callbackUrl: string | undefined;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  readonly response: { readonly status: number; readonly body: string } | undefined;
  /** Why the last attempt came to nothing. */
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  readonly finishedAt: Date | undefined;
}

export interface WebhookDeliveryRow extends Record<string, unknown> {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly callback_url: string | null;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly created_at: string;
  readonly next_attempt_at: string;
  readonly finished_at: string | null;
}

export const selectWebhookDeliveries = sql`select d.id, d.endpoint_id, d.event_id, v.type, d.callback_url, d.status,
    d.attempts, d.response_status, d.response_body, d.error, d.duration_ms, d.created_at, d.next_attempt_at, d.finished_at
  from webhook_deliveries d join webhook_events v on v.id = d.event_id`;

export function toWebhookDelivery(row: WebhookDeliveryRow): WebhookDeliveryRecord {
  const { response_status: status, response_body: body } = row;
  return {
    id: row.id,
    webhookId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.type,
    callbackUrl: row.callback_url ?? undefined,
    status: row.status,
    attempts: row.attempts,
    response: status === null ? undefined : { status, body: body ?? '' },
    error: row.error ?? undefined,
    durationMs: row.duration_ms ?? undefined,
    createdAt: new Date(row.created_at),
    nextAttemptAt: row.status === 'pending' ? new Date(row.next_attempt_at) : undefined,
    finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
  };
}
