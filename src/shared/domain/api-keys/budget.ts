import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { columnList, excluded, names } from '../../db/column-names.ts';
import { cast, int4 } from '../../db/row.ts';
import { apiKeys, keySpending } from '../../db/schema/accounts.ts';
import { generations } from '../../db/schema/documents.ts';
import { execute, guarded, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';

/** The calendar month (UTC) of a time, as its first day. */
export const monthOf = (time: SQL): SQL => sql`date_trunc('month', ${time} at time zone 'UTC')::date`;

/** Documents that a key may still request in this calendar month (UTC); undefined for a key without a budget. */
export async function readBudget(db: Executor, keyId: string): Promise<number | undefined> {
  const isThisMonth = and(eq(keySpending.keyId, apiKeys.id), eq(keySpending.month, monthOf(nowOr())));
  const [row] = await run(
    db,
    db
      .select({ remaining: cast(int4, sql`greatest(0, ${apiKeys.docsPerMonth} - coalesce(${keySpending.docs}, 0))`) })
      .from(apiKeys)
      .leftJoin(keySpending, isThisMonth)
      .where(and(eq(apiKeys.id, keyId), isNotNull(apiKeys.docsPerMonth))),
  );
  return row?.remaining;
}

/**
 * Sets how many documents a key may request in a calendar month (UTC); null removes the budget. The key's earlier
 * requests of this month count, unless they were refunded. Requests accepted during the call may be missed.
 */
export async function setKeyBudget(
  db: Executor,
  keyId: string,
  docsPerMonth: number | null,
): Promise<{ readonly keyId: string; readonly docsPerMonth: number | null }> {
  await guarded(() =>
    inTransaction(db, async (tx) => {
      const [before] = await run(
        tx,
        tx.select({ docs: apiKeys.docsPerMonth }).from(apiKeys).where(eq(apiKeys.id, keyId)).for('no key update'),
      );
      if (before === undefined) throw new AppError('not_found', `There is no key ${keyId}`);
      if (docsPerMonth !== null && before.docs === null) await countThisMonth(tx, keyId);
      await run(tx, tx.update(apiKeys).set({ docsPerMonth }).where(eq(apiKeys.id, keyId)));
    }),
  );
  return { keyId, docsPerMonth };
}

/** Charges this month's documents of a key without a budget to its new budget, and marks them for refunds. */
async function countThisMonth(tx: Executor, keyId: string): Promise<void> {
  const isCounted = sql`${generations.accountId} = (select ${apiKeys.accountId} from ${apiKeys} where ${apiKeys.id} = ${keyId})
    and ${generations.apiKeyId} = ${keyId} and ${generations.status} not in ('failed', 'cancelled')
    and ${generations.acceptedAt} >= ${monthOf(nowOr())}::timestamp at time zone 'UTC'`;
  await execute(
    tx,
    sql`update ${generations} set ${document.budgetMonth} = ${monthOf(nowOr())}
      where ${isCounted} and ${generations.budgetMonth} is null`,
  );
  await execute(
    tx,
    sql`insert into ${keySpending} ${columnList(keySpending.keyId, keySpending.month, keySpending.docs)}
      select ${keyId}, ${monthOf(nowOr())}, count(*)::int from ${generations} where ${isCounted} having count(*) > 0
      on conflict ${columnList(keySpending.keyId, keySpending.month)} do update set ${spending.docs} = ${excluded(keySpending.docs)}`,
  );
}

const key = names(apiKeys);
const spending = names(keySpending);

/**
 * Two common table expressions: `budget` has the keys of `needs` (`key_id`, `docs`) that have a budget, and `spent`
 * those whose budget suffices, each with the `month` (UTC) of `at` that is charged. Lock the allowances before the
 * budgets, as `returnBudget` does, to avoid deadlocks.
 */
export function spendBudgets(needs: SQL, at: SQL): SQL {
  const total = sql`${keySpending.docs} + ${excluded(keySpending.docs)}`;
  return sql`budget as (
      select ${apiKeys.id}, ${apiKeys.docsPerMonth}, n.docs from ${needs} n join ${apiKeys} on ${apiKeys.id} = n.key_id
      where ${apiKeys.docsPerMonth} is not null
    ), spent as (
      insert into ${keySpending} ${columnList(keySpending.keyId, keySpending.month, keySpending.docs)}
      select ${key.id}, ${monthOf(at)}, docs from budget where ${key.docsPerMonth} >= docs order by ${key.id}
      on conflict ${columnList(keySpending.keyId, keySpending.month)} do update set ${spending.docs} = ${total}
        where ${total} <= (select b.${key.docsPerMonth} from budget b where b.${key.id} = ${excluded(keySpending.keyId)})
      returning ${keySpending.keyId}, ${keySpending.month}
    )`;
}

/** The common table expression `budget_month`: the current `month` if the key has a budget. */
export function budgetMonth(keyId: string): SQL {
  return sql`budget_month as (
      select ${monthOf(nowOr())} as ${spending.month} from ${apiKeys}
      where ${apiKeys.id} = ${keyId} and ${apiKeys.docsPerMonth} is not null
    )`;
}

const document = names(generations);

/**
 * The common table expression that refunds the key budgets of the documents in `done`. Refunds only if `released`,
 * which refunds the allowances, has rows.
 */
export function returnBudget(done: SQL, released: SQL): SQL {
  return sql`returned as (
      update ${keySpending} set ${spending.docs} = ${keySpending.docs} - back.docs
      from (select ${document.apiKeyId}, ${document.budgetMonth}, count(*) as docs from ${done}
        where ${document.budgetMonth} is not null and exists (select 1 from ${released}) group by 1, 2) back
      where ${keySpending.keyId} = back.${document.apiKeyId} and ${keySpending.month} = back.${document.budgetMonth}
    )`;
}

/** Describes what a batch needs and what is left of a quota, such as `the batch needs 6 documents, 5 are left`. */
export function neededAndLeft(needed: number, left: number): string {
  const documents = needed === 1 ? '1 document' : `${needed.toLocaleString('en')} documents`;
  return `the batch needs ${documents}, ${left.toLocaleString('en')} ${left === 1 ? 'is' : 'are'} left`;
}

/** The error for a batch, which is charged to the key's budget entirely or not at all. */
export const batchBudgetExceeded = (needed: number, left: number): AppError =>
  new AppError(
    'quota_exceeded',
    `The monthly budget of this API key does not suffice: ${neededAndLeft(needed, left)}. It renews with the next calendar month (UTC).`,
  );

export const keyBudgetExceeded = (): AppError =>
  new AppError(
    'quota_exceeded',
    'The monthly budget of this API key is used up. It renews with the next calendar month (UTC).',
  );
