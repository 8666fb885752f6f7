import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../db/client.ts';
import { columnList, isAnyIdOf, isOneOf, texts } from '../../db/column-names.ts';
import { bool, cast, int4, nullable, rowOf } from '../../db/row.ts';
import { generations } from '../../db/schema/documents.ts';
import { allowances, ledger } from '../../db/schema/quota.ts';
import { execute, nowOr, query, run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { batchBudgetExceeded, readBudget, spendBudgets } from '../api-keys/budget.ts';
import { countEmails, type EmailTally } from '../deliveries/email-limits.ts';
import { batchQuotaExceeded, documentQuotaExceeded } from '../documents/accept-document.ts';

export interface RowsToReserve {
  readonly accountId: string;
  readonly keyId: string;
  /** Documents that cost one unit each; their rows already exist. */
  readonly documentIds: readonly string[];
  /** Documents that failed on acceptance: they are recorded and cost nothing. */
  readonly failedIds: readonly string[];
  /** Their e-mails, which are counted in the same transaction. */
  readonly emails?: EmailTally | undefined;
}

/** Units reserved from one allowance. */
interface Share {
  readonly allowanceId: string;
  readonly units: number;
}

const chunkRows = 2_000;

/**
 * Reserves one unit for each document, all or none, as the last step of its transaction. Writes the ledger first,
 * following a plan made without locks. Then locks the e-mail counters and the allowances, moves the entries that the
 * plan assigned wrongly, and updates the allowances, so that other requests of the account wait only briefly. Throws
 * `quota_exceeded` or `email_limit_exceeded`.
 */
export async function reserveRows(tx: Transaction, rows: RowsToReserve): Promise<void> {
  const units = rows.documentIds.length;
  const planned = await planReservation(tx, rows.accountId, { units, isLocking: false });
  await writeLedger(tx, rows, planned);
  // failpoint: batch-ledger-written
  await countEmails(tx, rows.accountId, rows.emails);
  const shares = await planReservation(tx, rows.accountId, { units, isLocking: true });
  await moveEntries(tx, rows.documentIds, { from: planned, to: shares });
  for (const { allowanceId, units: shareUnits } of shares) {
    const docsHeld = sql`${allowances.docsHeld} + ${shareUnits}`;
    await run(tx, tx.update(allowances).set({ docsHeld }).where(eq(allowances.id, allowanceId)));
  }
  await spend(tx, rows);
}

/**
 * Plans the allowances from which to take `units` documents, in the same order as for single documents: the quota month
 * first, then the credits that expire soonest. Throws `quota_exceeded` unless they suffice for all. Locks the account's
 * allowances if `isLocking`, otherwise nothing.
 */
export async function planReservation(
  db: Executor,
  accountId: string,
  { units, isLocking }: { readonly units: number; readonly isLocking: boolean },
): Promise<readonly Share[]> {
  const { id, kind, docs, docsHeld, docsSettled, startsAt, endsAt } = allowances;
  const statement = db
    .select({ id, remaining: cast(int4, sql`${docs} - ${docsHeld} - ${docsSettled}`) })
    .from(allowances)
    .where(and(eq(allowances.accountId, accountId), lte(startsAt, nowOr()), or(isNull(endsAt), gt(endsAt, nowOr()))))
    .orderBy(sql`${kind} desc, ${endsAt} nulls last, ${id}`);
  const rows = await run(db, isLocking ? statement.for('no key update') : statement);
  const shares: Share[] = [];
  let missing = units;
  for (const { id: allowanceId, remaining } of rows) {
    const shareUnits = Math.min(missing, Math.max(0, remaining));
    if (shareUnits > 0) shares.push({ allowanceId, units: shareUnits });
    missing -= shareUnits;
  }
  if (missing > 0) throw batchQuotaExceeded(units, units - missing);
  // Rows that cost nothing are also recorded, against any allowance.
  const [first] = rows;
  return shares.length === 0 && first !== undefined ? [{ allowanceId: first.id, units: 0 }] : shares;
}

async function writeLedger(tx: Transaction, rows: RowsToReserve, shares: readonly Share[]): Promise<void> {
  let from = 0;
  for (const { allowanceId, units } of shares) {
    await writeEntries(tx, { ...rows, allowanceId, kind: 'reserve' }, rows.documentIds.slice(from, from + units));
    from += units;
  }
  const allowanceId = shares[0]?.allowanceId;
  if (rows.failedIds.length === 0) return;
  if (allowanceId === undefined) throw documentQuotaExceeded();
  await writeEntries(tx, { ...rows, allowanceId, kind: 'reserve' }, rows.failedIds);
  await writeEntries(tx, { ...rows, allowanceId, kind: 'release' }, rows.failedIds);
}

/** Rewrites only the entries whose allowance differs between the plan and the locked shares. */
async function moveEntries(
  tx: Transaction,
  documentIds: readonly string[],
  { from, to }: { readonly from: readonly Share[]; readonly to: readonly Share[] },
): Promise<void> {
  if (isSame(from, to)) return;
  const before = toOwners(from);
  const after = toOwners(to);
  for (const { allowanceId } of to) {
    const moved = documentIds.filter((_id, index) => after[index] === allowanceId && before[index] !== allowanceId);
    for (let start = 0; start < moved.length; start += chunkRows) {
      const ids = moved.slice(start, start + chunkRows);
      const isReservation = and(isAnyIdOf(ledger.documentId, ids), isOneOf(ledger.kind, 'reserve'));
      await run(tx, tx.update(ledger).set({ allowanceId }).where(isReservation));
    }
  }
}

function isSame(from: readonly Share[], to: readonly Share[]): boolean {
  return (
    from.length === to.length &&
    from.every(({ allowanceId, units }, index) => to[index]?.allowanceId === allowanceId && to[index].units === units)
  );
}

/** The allowance that pays for each unit, in order. */
function toOwners(shares: readonly Share[]): readonly string[] {
  return shares.flatMap(({ allowanceId, units }) => new Array<string>(units).fill(allowanceId));
}

async function writeEntries(
  tx: Transaction,
  entry: { readonly accountId: string; readonly allowanceId: string; readonly kind: 'reserve' | 'release' },
  documentIds: readonly string[],
): Promise<void> {
  const { accountId, documentId, allowanceId, kind, units, createdAt } = ledger;
  for (let from = 0; from < documentIds.length; from += chunkRows) {
    const ids = documentIds.slice(from, from + chunkRows);
    await execute(
      tx,
      sql`insert into ${ledger} ${columnList(accountId, documentId, allowanceId, kind, units, createdAt)}
        select ${entry.accountId}, id, ${entry.allowanceId}, ${entry.kind}, 1, ${nowOr()}
        from unnest(${texts(ids)}) as ids (id)`,
    );
  }
}

const spentRow = rowOf({ has_budget: bool, is_spent: bool, is_recorded: nullable(bool) });

/** Charges the key's budget. Fails if a budget was set or removed since the rows were written. */
async function spend(tx: Transaction, { keyId, documentIds }: RowsToReserve): Promise<void> {
  const docs = documentIds.length;
  if (docs === 0) return;
  const [row] = await query(
    tx,
    spentRow,
    sql`with ${spendBudgets(sql`(select ${keyId}::text as key_id, ${docs}::int as docs)`, nowOr())}
      select exists (select 1 from budget) as has_budget, exists (select 1 from spent) as is_spent,
        (select ${generations.budgetMonth} is not null from ${generations}
          where ${generations.id} = ${documentIds[0]}) as is_recorded`,
  );
  if (row?.has_budget === true && !row.is_spent) throw batchBudgetExceeded(docs, (await readBudget(tx, keyId)) ?? 0);
  if (row?.is_spent !== row?.is_recorded) {
    throw new AppError('unavailable', 'The budget of this key has just changed. Try again.', { retryAfterSeconds: 1 });
  }
}
