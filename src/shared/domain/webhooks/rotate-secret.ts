import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { webhookNotFound } from './webhook-record.ts';

export const overlapHours = 24;

const keptSecrets = 4;

/**
 * Gives a webhook a new secret, as it is to be stored. The one before signs beside it for a day, and so do those that still
 * did: the receiver may have any of them, when the answer to a rotation was lost.
 */
export async function rotateSecret(db: Executor, accountId: string, id: string, secret: string): Promise<void> {
  const rows = await run(
    db,
    sql`update webhook_endpoints set secret = ${secret}, previous_secret = array_to_string((array[secret]
          || case when previous_secret_until > now() then string_to_array(previous_secret, ' ') end)[1:${keptSecrets}], ' '),
        previous_secret_until = ${nowOr()} + make_interval(hours => ${overlapHours}), updated_at = ${nowOr()}
      where id = ${id} and account_id = ${accountId} returning id`,
  );
  if (rows.length === 0) throw webhookNotFound();
}
