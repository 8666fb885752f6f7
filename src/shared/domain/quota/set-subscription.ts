import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { guarded, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { openMonth } from './open-month.ts';

export interface SubscriptionInput {
  readonly accountId: string;
  readonly docs: number;
  readonly templates: number;
  readonly anchorDay?: number | undefined;
}

/**
 * Sets the monthly allowance; it counts at once, also in the month under way. A new anchor day ends the month under way
 * where the new month begins, and what was used of it stays used.
 */
export async function setSubscription(
  db: Database,
  input: SubscriptionInput,
  at?: Date,
): Promise<{
  readonly accountId: string;
  readonly docs: number;
  readonly templates: number;
  readonly anchorDay: number;
}> {
  return guarded(() =>
    inTransaction(db, async (tx) => {
      const [account] = await run(tx, sql`select id from accounts where id = ${input.accountId} for no key update`);
      if (account === undefined) throw new AppError('not_found', `There is no account ${input.accountId}`);
      const [row] = await run<{ anchor_day: number }>(
        tx,
        sql`insert into subscriptions (account_id, docs, templates, anchor_day, updated_at)
          values (${input.accountId}, ${input.docs}, ${input.templates}, ${input.anchorDay ?? 1}, now())
          on conflict (account_id) do update set docs = excluded.docs, templates = excluded.templates,
            anchor_day = coalesce(${input.anchorDay ?? null}, subscriptions.anchor_day), updated_at = now()
          returning anchor_day`,
      );
      const anchorDay = row?.anchor_day ?? 1;
      await run(
        tx,
        sql`update allowances set docs = ${input.docs}, ends_at = quota_month_end(${anchorDay}, ${nowOr(at)})
          where account_id = ${input.accountId} and kind = 'subscription'
            and starts_at <= ${nowOr(at)} and ends_at > ${nowOr(at)}`,
      );
      await openMonth(tx, input.accountId, at);
      return { accountId: input.accountId, docs: input.docs, templates: input.templates, anchorDay };
    }),
  );
}
