import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/client.ts';
import { moment, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { keyBudgetExceeded, spendBudget } from '../api-keys/spend-budget.ts';
import { documentQuotaExceeded } from '../generations/accept-generation.ts';
import { planReservation, type Share } from './plan-reservation.ts';

export interface RowsToReserve {
  readonly accountId: string;
  readonly keyId: string;
  /** Generations that cost one document each; their rows are written already. */
  readonly generationIds: readonly string[];
  /** Generations that failed before they began: they are written down, and cost nothing. */
  readonly failedIds: readonly string[];
}

const chunkRows = 2_000;
const maxPlans = 4;

/**
 * Reserves one unit for each generation, all or none, as the last thing of its transaction. The ledger is written by a
 * plan that locks nothing; the allowances are changed at the very end, so that the account's other calls wait for a moment
 * only. When they were faster, the plan is made anew, and the last one locks first. Throws `quota_exceeded`.
 */
export async function reserveRows(tx: Transaction, rows: RowsToReserve): Promise<void> {
  await run(tx, sql`savepoint unreserved`);
  for (let plan = 1; plan <= maxPlans; plan++) {
    const shares = await planReservation(tx, rows.accountId, {
      units: rows.generationIds.length,
      isLocking: plan === maxPlans,
    });
    await writeLedger(tx, rows, shares);
    // failpoint: batch-ledger-written
    if (await hold(tx, shares)) {
      await spend(tx, rows);
      return;
    }
    await run(tx, sql`rollback to savepoint unreserved`);
  }
  throw documentQuotaExceeded();
}

async function writeLedger(tx: Transaction, rows: RowsToReserve, shares: readonly Share[]): Promise<void> {
  let from = 0;
  for (const { allowanceId, units } of shares) {
    await writeEntries(tx, { ...rows, allowanceId, kind: 'reserve' }, rows.generationIds.slice(from, from + units));
    from += units;
  }
  const allowanceId = shares[0]?.allowanceId;
  if (rows.failedIds.length === 0) return;
  if (allowanceId === undefined) throw documentQuotaExceeded();
  await writeEntries(tx, { ...rows, allowanceId, kind: 'reserve' }, rows.failedIds);
  await writeEntries(tx, { ...rows, allowanceId, kind: 'release' }, rows.failedIds);
}

async function writeEntries(
  tx: Transaction,
  entry: { readonly accountId: string; readonly allowanceId: string; readonly kind: 'reserve' | 'release' },
  generationIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < generationIds.length; from += chunkRows) {
    const ids = generationIds.slice(from, from + chunkRows);
    await run(
      tx,
      sql`insert into ledger (account_id, generation_id, allowance_id, kind, units, created_at)
        select ${entry.accountId}, id, ${entry.allowanceId}, ${entry.kind}, 1, ${moment()}
        from unnest(${sql.param(ids)}::text[]) as ids (id)`,
    );
  }
}

/** One allowance after the other, in the order in which single documents take them, so that two batches cannot lock up. */
async function hold(tx: Transaction, shares: readonly Share[]): Promise<boolean> {
  for (const { allowanceId, units } of shares) {
    if (units === 0) continue;
    const held = await run(
      tx,
      sql`update allowances set docs_held = docs_held + ${units}
        where id = ${allowanceId} and docs - docs_held - docs_settled >= ${units} returning id`,
    );
    if (held.length === 0) return false;
  }
  return true;
}

/** The rows say already whether the key had a budget when they were written; that must still be so. */
async function spend(tx: Transaction, { keyId, generationIds }: RowsToReserve): Promise<void> {
  const docs = generationIds.length;
  if (docs === 0) return;
  const [row] = await run<{ has_budget: boolean; is_spent: boolean; is_noted: boolean }>(
    tx,
    sql`with ${spendBudget({ keyId, docs, when: sql`true`, at: moment() })}
      select exists (select 1 from budget) as has_budget, exists (select 1 from spent) as is_spent,
        (select budget_month is not null from generations where id = ${generationIds[0]}) as is_noted`,
  );
  if (row?.has_budget === true && !row.is_spent) throw keyBudgetExceeded();
  if (row?.is_spent !== row?.is_noted) {
    throw new AppError('unavailable', 'The budget of this key has just changed. Try again.', { retryAfterSeconds: 1 });
  }
}
