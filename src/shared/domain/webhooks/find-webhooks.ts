import { and, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { webhookEndpoints } from '../../db/schema/webhooks.ts';
import { nowOr, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { EventType } from './event-outbox.ts';

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
  /** As stored: encrypted if `WEBHOOK_SECRET_KEY` is set. */
  readonly secret: string;
  /** Undefined if no previous secret is used for signing. */
  readonly previousSecretUntil: Date | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Also thrown for another account's webhook, so that clients cannot learn that it exists. */
export const webhookNotFound = (): AppError => new AppError('not_found', 'There is no webhook with this id');

const { id, accountId, kind, url, description, events, status, disabledReason } = webhookEndpoints;
const { failingSince, secret, previousSecretUntil, createdAt, updatedAt } = webhookEndpoints;

/** The selected columns of a `WebhookRecord`. */
export const webhookColumns = {
  id,
  kind,
  url,
  description,
  events,
  status,
  disabledReason,
  failingSince,
  secret,
  createdAt,
  updatedAt,
  previousSecretUntil:
    sql<Date | null>`case when ${previousSecretUntil} > now() then ${previousSecretUntil} end`.mapWith(
      previousSecretUntil,
    ),
};

/** At least a millisecond after the previous change, so that no two states share an entity tag. */
export const webhookChangeTime = (lastChange: SQLWrapper): SQL =>
  sql`greatest(${nowOr()}, ${lastChange} + interval '1 millisecond')`;

type Row = { readonly [K in keyof typeof webhookColumns]: (typeof webhookEndpoints.$inferSelect)[K] };

export function toWebhookRecord(row: Row): WebhookRecord {
  return {
    ...row,
    url: row.url ?? undefined,
    description: row.description ?? undefined,
    events: row.events as readonly EventType[],
    disabledReason: row.disabledReason ?? undefined,
    failingSince: row.failingSince ?? undefined,
    previousSecretUntil: row.previousSecretUntil ?? undefined,
  };
}

/** The account's endpoint, or the row that signs its callbacks. Throws `not_found` for any other id. */
export async function findWebhook(db: Executor, account: string, webhookId: string): Promise<WebhookRecord> {
  const [row] = await run(
    db,
    db
      .select(webhookColumns)
      .from(webhookEndpoints)
      .where(and(eq(id, webhookId), eq(accountId, account))),
  );
  if (row === undefined) throw webhookNotFound();
  return toWebhookRecord(row);
}

/** Every endpoint of the account, newest first. */
export async function listWebhooks(db: Executor, account: string): Promise<readonly WebhookRecord[]> {
  const rows = await run(
    db,
    db
      .select(webhookColumns)
      .from(webhookEndpoints)
      .where(and(eq(accountId, account), isOneOf(kind, 'endpoint')))
      .orderBy(desc(id)),
  );
  return rows.map(toWebhookRecord);
}

/** The row that signs the account's callbacks, created on first use. `newSecret` returns the secret in stored form. */
export async function ensureCallbacks(
  db: Executor,
  account: string,
  newSecret: (rowId: string) => string,
): Promise<WebhookRecord> {
  const existing = await findCallbacks(db, account);
  if (existing !== undefined) return existing;
  const rowId = newId('whk');
  const times = { createdAt: nowOr(), updatedAt: nowOr() };
  await run(
    db,
    db
      .insert(webhookEndpoints)
      .values({
        id: rowId,
        accountId: account,
        kind: 'callbacks',
        events: [],
        status: 'enabled',
        secret: newSecret(rowId),
        ...times,
      })
      .onConflictDoNothing(),
  );
  const created = await findCallbacks(db, account);
  if (created === undefined) throw new Error('the callbacks of an account were not created');
  return created;
}

async function findCallbacks(db: Executor, account: string): Promise<WebhookRecord | undefined> {
  const [row] = await run(
    db,
    db
      .select(webhookColumns)
      .from(webhookEndpoints)
      .where(and(eq(accountId, account), isOneOf(kind, 'callbacks'))),
  );
  return row === undefined ? undefined : toWebhookRecord(row);
}
