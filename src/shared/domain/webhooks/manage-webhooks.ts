import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList, isOneOf } from '../../db/column-names.ts';
import { accounts } from '../../db/schema/accounts.ts';
import { webhookDeliveries, webhookEndpoints } from '../../db/schema/webhooks.ts';
import { execute, jsonbValue, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { meets, type Precondition, preconditionFailed } from '../precondition.ts';
import type { EventType } from './event-outbox.ts';
import {
  findWebhook,
  toWebhookRecord,
  type WebhookRecord,
  webhookChangeTime,
  webhookColumns,
  webhookNotFound,
} from './find-webhooks.ts';

export const maxWebhooks = 20;

export interface WebhookInput {
  readonly id: string;
  readonly url: string;
  readonly description: string | undefined;
  readonly events: readonly EventType[];
  /** In stored form. */
  readonly secret: string;
}

/** Adds an endpoint. Throws `conflict` if the account already has 20; a row lock serialises concurrent calls. */
export async function createWebhook(db: Executor, accountId: string, input: WebhookInput): Promise<void> {
  const e = webhookEndpoints;
  const columns = columnList(
    ...[e.id, e.accountId, e.kind, e.url, e.description, e.events, e.status, e.secret, e.createdAt, e.updatedAt],
  );
  await inTransaction(db, async (tx) => {
    const owner = tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId));
    await run(tx, owner.for('no key update'));
    const created = await execute(
      tx,
      sql`insert into ${webhookEndpoints} ${columns}
        select ${input.id}, ${accountId}, 'endpoint', ${input.url}, ${input.description ?? null},
          ${jsonbValue(input.events)}, 'enabled', ${input.secret}, ${nowOr()}, ${nowOr()}
        where (select count(*) from ${webhookEndpoints}
          where ${e.accountId} = ${accountId} and ${isOneOf(e.kind, 'endpoint')}) < ${maxWebhooks}`,
    );
    if (created === 0) {
      throw new AppError('conflict', `An account has at most ${maxWebhooks} webhooks. Delete one first.`);
    }
  });
}

/** Undefined fields stay as they are. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly EventType[] | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
}

/** The state of an endpoint that a client has read, identified by its entity tag. */
export interface WebhookState {
  readonly updatedAt: Date;
  readonly failingSince: Date | undefined;
}

/**
 * Changes an endpoint. Setting its status also resets `disabledReason` and `failingSince`. Throws `not_found`, or
 * `precondition_failed` if another client changed the endpoint first.
 */
export async function updateWebhook(
  db: Executor,
  accountId: string,
  id: string,
  { url, description, events, status }: WebhookChanges,
  precondition: Precondition<WebhookState> = {},
): Promise<WebhookRecord> {
  const disabledReason = status === 'disabled' ? 'Disabled by request' : null;
  const [row] = await run(
    db,
    db
      .update(webhookEndpoints)
      .set({
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(events !== undefined && { events }),
        ...(status !== undefined && { status, disabledReason, failingSince: null }),
        updatedAt: webhookChangeTime(webhookEndpoints.updatedAt),
      })
      .where(isEndpoint(accountId, id, precondition))
      .returning(webhookColumns),
  );
  if (row === undefined) throw await missingEndpoint(db, accountId, id);
  return toWebhookRecord(row);
}

function isEndpoint(accountId: string, id: string, precondition: Precondition<WebhookState>): SQL | undefined {
  const e = webhookEndpoints;
  const isIn = ({ updatedAt, failingSince }: WebhookState) =>
    and(
      eq(e.updatedAt, updatedAt),
      failingSince === undefined ? isNull(e.failingSince) : eq(e.failingSince, failingSince),
    );
  return and(eq(e.id, id), eq(e.accountId, accountId), isOneOf(e.kind, 'endpoint'), meets(precondition, isIn));
}

/** The error for a change that matched no endpoint. */
async function missingEndpoint(db: Executor, accountId: string, id: string): Promise<AppError> {
  const { kind } = await findWebhook(db, accountId, id);
  return kind === 'endpoint' ? preconditionFailed('webhook') : webhookNotFound();
}

const overlapHours = 24;
const maxSecrets = 4;

/**
 * Sets a new secret, in stored form. Previous secrets are used for signing for another day: if the response to a
 * rotation was lost, the receiver may still have any of them.
 */
export async function rotateSecret(db: Executor, accountId: string, id: string, secret: string): Promise<void> {
  const e = webhookEndpoints;
  const previous = sql`case when ${e.previousSecretUntil} > now() then string_to_array(${e.previousSecret}, ' ') end`;
  const rows = await run(
    db,
    db
      .update(webhookEndpoints)
      .set({
        secret,
        previousSecret: sql`array_to_string((array[${e.secret}] || ${previous})[1:${maxSecrets}], ' ')`,
        previousSecretUntil: sql`${nowOr()} + make_interval(hours => ${overlapHours})`,
        updatedAt: webhookChangeTime(e.updatedAt),
      })
      .where(and(eq(e.id, id), eq(e.accountId, accountId)))
      .returning({ id: e.id }),
  );
  if (rows.length === 0) throw webhookNotFound();
}

const deliveriesPerStatement = 10_000;

/**
 * Deletes an endpoint with its deliveries; a request in progress ends without a record. A busy endpoint may have
 * millions of deliveries, too many for one statement, so it is disabled first and its deliveries are deleted in parts.
 * After a crash it stays disabled, and the next call deletes it. Throws `not_found`, or `precondition_failed` if
 * another client changed the endpoint first.
 */
export async function removeWebhook(
  db: Executor,
  accountId: string,
  id: string,
  {
    limit = deliveriesPerStatement,
    precondition = {},
  }: { readonly limit?: number; readonly precondition?: Precondition<WebhookState> } = {},
): Promise<void> {
  const disabled = await run(
    db,
    db
      .update(webhookEndpoints)
      .set({ status: 'disabled', disabledReason: 'It is being deleted' })
      .where(isEndpoint(accountId, id, precondition))
      .returning({ id: webhookEndpoints.id }),
  );
  if (disabled.length === 0) throw await missingEndpoint(db, accountId, id);
  while ((await removeDeliveries(db, id, limit)) === limit);
  await run(
    db,
    db.delete(webhookEndpoints).where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.accountId, accountId))),
  );
}

const d = aliased(webhookDeliveries, 'd');

function removeDeliveries(db: Executor, webhookId: string, limit: number): Promise<number> {
  return execute(
    db,
    sql`delete from ${webhookDeliveries} where ${webhookDeliveries.id} = any(array(
      select ${d.id} from ${webhookDeliveries} ${d} where ${d.endpointId} = ${webhookId} limit ${limit}))`,
  );
}
