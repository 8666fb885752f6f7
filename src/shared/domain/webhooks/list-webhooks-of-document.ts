import { and, asc, eq, gte, isNull, lte, or, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { webhookDeliveries, webhookEvents } from '../../db/schema/webhooks.ts';
import { run } from '../../db/statement.ts';

export interface DocumentWebhook {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: string;
  readonly status: (typeof webhookDeliveries.$inferSelect)['status'];
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date;
  readonly finishedAt: Date | null;
}

const maxDeliveries = 100;

/**
 * Webhook deliveries about a document or its e-mail, oldest first. The statement that ends either one also writes its
 * events with the same time, by which the index finds them; `endedAt` holds these times.
 */
export async function listWebhooksOfDocument(
  db: Executor,
  {
    accountId,
    ids,
    endedAt,
  }: { readonly accountId: string; readonly ids: readonly string[]; readonly endedAt: readonly Date[] },
): Promise<readonly DocumentWebhook[]> {
  if (endedAt.length === 0) return [];
  const [d, e] = [webhookDeliveries, webhookEvents];
  // The time of a row is rounded to milliseconds, that of an event is truncated.
  const isThen = endedAt.map((at) => and(gte(e.createdAt, new Date(at.getTime() - 1)), lte(e.createdAt, at)));
  return await run(
    db,
    db
      .select({
        id: d.id,
        webhookId: d.endpointId,
        eventType: e.type,
        status: d.status,
        attempts: d.attempts,
        responseStatus: d.responseStatus,
        error: d.error,
        durationMs: d.durationMs,
        createdAt: d.createdAt,
        nextAttemptAt: d.nextAttemptAt,
        finishedAt: d.finishedAt,
      })
      .from(e)
      .innerJoin(d, eq(d.eventId, e.id))
      .where(
        and(
          isNull(e.onceKey),
          or(...isThen),
          eq(e.accountId, accountId),
          sql`${e.data} ->> 'id' = any(${sql.param([...ids])}::text[])`,
        ),
      )
      .orderBy(asc(d.id))
      .limit(maxDeliveries),
  );
}
