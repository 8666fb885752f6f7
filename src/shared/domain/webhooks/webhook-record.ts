import { sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { EventType } from './event-types.ts';

export interface WebhookRecord {
  readonly id: string;
  readonly kind: 'endpoint' | 'callbacks';
  /** Undefined for `callbacks`. */
  readonly url: string | undefined;
  readonly description: string | undefined;
  readonly events: readonly EventType[];
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: string | undefined;
  readonly failingSince: Date | undefined;
  /** Both as they are stored: sealed when the operator has set a key. */
  readonly secret: string;
  readonly previousSecretUntil: Date | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WebhookRow extends Record<string, unknown> {
  readonly id: string;
  readonly kind: 'endpoint' | 'callbacks';
  readonly url: string | null;
  readonly description: string | null;
  readonly events: readonly EventType[];
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
  readonly secret: string;
  readonly previous_secret_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Also true of no row: what another account owns does not exist. */
export const webhookNotFound = (): AppError => new AppError('not_found', 'There is no webhook with this id');

export const webhookColumns = sql`id, kind, url, description, events, status, disabled_reason, failing_since, secret,
  case when previous_secret_until > now() then previous_secret_until end as previous_secret_until, created_at, updated_at`;

export function toWebhookRecord(row: WebhookRow): WebhookRecord {
  const date = (text: string | null): Date | undefined => (text === null ? undefined : new Date(text));
  return {
    id: row.id,
    kind: row.kind,
    url: row.url ?? undefined,
    description: row.description ?? undefined,
    events: row.events,
    status: row.status,
    disabledReason: row.disabled_reason ?? undefined,
    failingSince: date(row.failing_since),
    secret: row.secret,
    previousSecretUntil: date(row.previous_secret_until),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
