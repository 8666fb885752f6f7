import { sql } from 'drizzle-orm';
import type { Transaction } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
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

/**
 * Reserves one unit for each generation, all or none, as the last thing of its transaction. The ledger is written by a plan
 * that locks nothing; then the allowances are locked, the entries that others were faster for are moved, and the allowances
 * are changed, so that the account's other calls wait for a moment only. Throws `quota_exceeded`.
 */
export async function reserveRows(tx: Transaction, rows: RowsToReserve): Promise<void> {
  const units = rows.generationIds.length;
  const planned = await planReservation(tx, rows.accountId, { units, isLocking: false });
  await writeLedger(tx, rows, planned);
  // failpoint: batch-ledger-written
  const shares = await planReservation(tx, rows.accountId, { units, isLocking: true });
  await moveEntries(tx, rows.generationIds, { from: planned, to: shares });
  for (const { allowanceId, units: taken } of shares) {
    await run(tx, sql`update allowances set docs_held = docs_held + ${taken} where id = ${allowanceId}`);
  }
  await spend(tx, rows);
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

/** Only the entries between the old and the new borders of the shares: as many as others took meanwhile. */
async function moveEntries(
  tx: Transaction,
  generationIds: readonly string[],
  { from, to }: { readonly from: readonly Share[]; readonly to: readonly Share[] },
): Promise<void> {
  if (isSame(from, to)) return;
  const before = toOwners(from);
  const after = toOwners(to);
  for (const { allowanceId } of to) {
    const moved = generationIds.filter((_id, index) => after[index] === allowanceId && before[index] !== allowanceId);
    for (let start = 0; start < moved.length; start += chunkRows) {
      const ids = moved.slice(start, start + chunkRows);
      await run(
        tx,
        sql`update ledger set allowance_id = ${allowanceId}
          where generation_id = any(${sql.param(ids)}::text[]) and kind = 'reserve'`,
      );
    }
  }
}

function isSame(from: readonly Share[], to: readonly Share[]): boolean {
  return (
    from.length === to.length &&
    from.every(({ allowanceId, units }, index) => to[index]?.allowanceId === allowanceId && to[index].units === units)
  );
}

/** The allowance of each unit, one after the other. */
function toOwners(shares: readonly Share[]): readonly string[] {
  return shares.flatMap(({ allowanceId, units }) => new Array<string>(units).fill(allowanceId));
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
        select ${entry.accountId}, id, ${entry.allowanceId}, ${entry.kind}, 1, ${nowOr()}
        from unnest(${sql.param(ids)}::text[]) as ids (id)`,
    );
  }
}

/** The rows say already whether the key had a budget when they were written; that must still be so. */
async function spend(tx: Transaction, { keyId, generationIds }: RowsToReserve): Promise<void> {
  const docs = generationIds.length;
  if (docs === 0) return;
  const [row] = await run<{ has_budget: boolean; is_spent: boolean; is_noted: boolean }>(
    tx,
    sql`with ${spendBudget({ keyId, docs, when: sql`true`, at: nowOr() })}
      select exists (select 1 from budget) as has_budget, exists (select 1 from spent) as is_spent,
        (select budget_month is not null from generations where id = ${generationIds[0]}) as is_noted`,
  );
  if (row?.has_budget === true && !row.is_spent) throw keyBudgetExceeded();
  if (row?.is_spent !== row?.is_noted) {
    throw new AppError('unavailable', 'The budget of this key has just changed. Try again.', { retryAfterSeconds: 1 });
  }
}
