import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { webhookNotFound } from './webhook-record.ts';

const deliveriesAtOnce = 10_000;

/**
 * Removes an endpoint with its deliveries; a request under way to it ends without a record. Of a busy one these are millions,
 * more than one statement has time for: it gets no events any more, then they go bit by bit, then it goes. A process that
 * dies meanwhile leaves it disabled, to be removed by the next call.
 */
export async function removeWebhook(
  db: Executor,
  accountId: string,
  id: string,
  limit: number = deliveriesAtOnce,
): Promise<void> {
  const found = await run(
    db,
    sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'It is being removed'
      where id = ${id} and account_id = ${accountId} and kind = 'endpoint' returning id`,
  );
  if (found.length === 0) throw webhookNotFound();
  while ((await removeDeliveries(db, id, limit)) === limit);
  await run(db, sql`delete from webhook_endpoints where id = ${id} and account_id = ${accountId}`);
}

async function removeDeliveries(db: Executor, webhookId: string, limit: number): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    sql`with gone as (
        delete from webhook_deliveries where id = any(array(
          select id from webhook_deliveries where endpoint_id = ${webhookId} limit ${limit})) returning 1
      )
      select count(*)::int as count from gone`,
  );
  return row?.count ?? 0;
}
