import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../ids.ts';

/**
 * Makes the allowance row of the quota month under way if it is not there; safe to run twice, also in parallel. A month
 * begins no sooner than the one before it ended, whatever the anchor day was then.
 */
export async function openMonth(db: Executor, accountId: string, at?: Date): Promise<void> {
  const now = nowOr(at);
  await inTransaction(db, async (tx) => {
    await run(tx, sql`select 1 from subscriptions where account_id = ${accountId} for no key update`);
    await run(
      tx,
      sql`insert into allowances (id, account_id, kind, docs, starts_at, ends_at)
        select ${newId('alw')}, s.account_id, 'subscription', s.docs,
          greatest(quota_month_start(s.anchor_day, ${now}), (select max(a.ends_at) from allowances a
            where a.account_id = s.account_id and a.kind = 'subscription' and a.ends_at <= ${now})),
          quota_month_end(s.anchor_day, ${now})
        from subscriptions s
        where s.account_id = ${accountId} and not exists (
          select 1 from allowances a where a.account_id = s.account_id and a.kind = 'subscription'
            and a.starts_at <= ${now} and a.ends_at > ${now})
        on conflict do nothing`,
    );
  });
}
