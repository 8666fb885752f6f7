import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { allowances, subscriptions } from '../../db/schema/quota.ts';
import { guarded, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireOpenAccount } from '../accounts/require-open-account.ts';
import { openMonth } from './open-month.ts';

export interface SubscriptionInput {
  readonly accountId: string;
  readonly docs: number;
  readonly templates: number;
  readonly anchorDay?: number | undefined;
}

/**
 * Sets the monthly allowance, effective at once for the current month. With a new anchor day, the current month ends
 * when the next one starts; documents used so far still count.
 */
export async function setSubscription(
  db: Executor,
  { accountId, docs, templates, anchorDay }: SubscriptionInput,
  at?: Date,
): Promise<Required<SubscriptionInput>> {
  const changes = { docs, templates, updatedAt: sql`now()`, ...(anchorDay !== undefined && { anchorDay }) };
  return guarded(() =>
    inTransaction(db, async (tx) => {
      await requireOpenAccount(tx, accountId);
      const [subscription] = await run(
        tx,
        tx
          .insert(subscriptions)
          .values({ anchorDay: 1, ...changes, accountId })
          .onConflictDoUpdate({ target: subscriptions.accountId, set: changes })
          .returning({ anchorDay: subscriptions.anchorDay }),
      );
      if (subscription === undefined) throw new Error('the upsert of a subscription returned no row');
      await run(
        tx,
        tx
          .update(allowances)
          .set({ docs, endsAt: sql`quota_month_end(${subscription.anchorDay}, ${nowOr(at)})` })
          .where(
            and(
              eq(allowances.accountId, accountId),
              isOneOf(allowances.kind, 'subscription'),
              lte(allowances.startsAt, nowOr(at)),
              gt(allowances.endsAt, nowOr(at)),
            ),
          ),
      );
      await openMonth(tx, accountId, at);
      return { accountId, docs, templates, anchorDay: subscription.anchorDay };
    }),
  );
}
