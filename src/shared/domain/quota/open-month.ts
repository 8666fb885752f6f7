import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { moment, run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';

/** Makes the allowance row of the quota month under way if it is not there; safe to run twice, also in parallel. */
export async function openMonth(db: Executor, accountId: string, at?: Date): Promise<void> {
  await run(
    db,
    sql`insert into allowances (id, account_id, kind, docs, starts_at, ends_at)
      select ${newId('alw')}, s.account_id, 'subscription', s.docs, quota_month_start(s.anchor_day, ${moment(at)}),
        quota_month_end(s.anchor_day, ${moment(at)})
      from subscriptions s
      where s.account_id = ${accountId} and not exists (
        select 1 from allowances a where a.account_id = s.account_id and a.kind = 'subscription'
          and a.starts_at <= ${moment(at)} and a.ends_at > ${moment(at)})
      on conflict do nothing`,
  );
}
