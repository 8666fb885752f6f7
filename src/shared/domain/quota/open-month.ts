import { eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { columnList, isOneOf } from '../../db/column-names.ts';
import { allowances, subscriptions } from '../../db/schema/quota.ts';
import { execute, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../ids.ts';

const s = aliased(subscriptions, 's');
const a = aliased(allowances, 'a');
const { id, accountId, kind, docs, startsAt, endsAt } = allowances;

/**
 * Creates the allowance of the current quota month if it does not exist; safe to call twice and concurrently. A month
 * never starts before the previous one has ended, even if the anchor day has changed.
 */
export async function openMonth(db: Executor, account: string, at?: Date): Promise<void> {
  const now = nowOr(at);
  const isSubscription = sql`${a.accountId} = ${s.accountId} and ${isOneOf(a.kind, 'subscription')}`;
  await inTransaction(db, async (tx) => {
    const owner = tx.select({ accountId: subscriptions.accountId }).from(subscriptions);
    await run(tx, owner.where(eq(subscriptions.accountId, account)).for('no key update'));
    await execute(
      tx,
      sql`insert into ${allowances} ${columnList(id, accountId, kind, docs, startsAt, endsAt)}
        select ${newId('alw')}, ${s.accountId}, 'subscription', ${s.docs},
          greatest(quota_month_start(${s.anchorDay}, ${now}),
            (select max(${a.endsAt}) from ${allowances} ${a} where ${isSubscription} and ${a.endsAt} <= ${now})),
          quota_month_end(${s.anchorDay}, ${now})
        from ${subscriptions} ${s}
        where ${s.accountId} = ${account} and not exists (
          select 1 from ${allowances} ${a} where ${isSubscription} and ${a.startsAt} <= ${now} and ${a.endsAt} > ${now})
        on conflict do nothing`,
    );
  });
}
