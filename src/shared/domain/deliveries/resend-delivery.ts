import { sql } from 'drizzle-orm';
import type { Database, Executor } from '../../db/client.ts';
import { guarded, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { claimIdempotencyKey, type IdempotencyClaim } from '../idempotency/claim-key.ts';
import { findDelivery } from './find-delivery.ts';

/**
 * Starts an ended delivery anew for the recipients it has not certainly reached, under the same Message-ID. Refused while
 * it is under way, when every recipient has it, and when the document is no longer kept.
 */
export async function resendDelivery(db: Executor, accountId: string, id: string): Promise<void> {
  await findDelivery(db, accountId, id);
  const rows = await run(
    db,
    sql`update deliveries d set status = 'pending', attempts = 0, next_attempt_at = ${nowOr()}, finished_at = null,
        locked_until = null, recipients = (select jsonb_agg(case when r ->> 'status' = 'sent' then r
          else jsonb_build_object('address', r ->> 'address', 'status', 'pending') end) from jsonb_array_elements(d.recipients) r)
      from generations g
      where d.id = ${id} and g.id = d.generation_id and g.result_store = 'object' and g.email is not null
        and g.expires_at > now() and d.status in ('partial', 'failed', 'unknown') returning d.id`,
  );
  if (rows.length > 0) return;
  const delivery = await findDelivery(db, accountId, id);
  if (delivery.status === 'sent') throw new AppError('conflict', 'Every recipient of this delivery has it already');
  if (delivery.finishedAt === undefined) throw new AppError('conflict', 'This delivery is still under way');
  throw new AppError('not_found', 'The document of this delivery is no longer kept');
}

/** As `resendDelivery`, bound to an idempotency key: a repetition of the request starts nothing more. */
export async function resendDeliveryOnce(
  db: Database,
  accountId: string,
  id: string,
  key: Omit<IdempotencyClaim, 'resourceId' | 'requestHash'>,
): Promise<void> {
  await guarded(() =>
    inTransaction(db, async (tx) => {
      const resourceId = newId('req');
      const holder = await claimIdempotencyKey(tx, accountId, { ...key, requestHash: id, resourceId });
      if (holder.resourceId === resourceId) await resendDelivery(tx, accountId, id);
    }),
  );
}
