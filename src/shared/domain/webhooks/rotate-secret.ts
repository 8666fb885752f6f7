import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { moment, run } from '../../db/statement.ts';
import { webhookNotFound } from './webhook-record.ts';

export const overlapHours = 24;

/** Gives a webhook a new secret, as it is to be stored. The one before signs beside it for a day, an older one no more. */
export async function rotateSecret(db: Executor, accountId: string, id: string, secret: string): Promise<void> {
  const rows = await run(
    db,
    sql`update webhook_endpoints set secret = ${secret}, previous_secret = secret,
        previous_secret_until = ${moment()} + make_interval(hours => ${overlapHours}), updated_at = ${moment()}
      where id = ${id} and account_id = ${accountId} returning id`,
  );
  if (rows.length === 0) throw webhookNotFound();
}
