import { asc, eq, sql } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { columnList, names } from '../db/column-names.ts';
import { pauses } from '../db/schema/operations.ts';
import { execute, run } from '../db/statement.ts';
import { AppError } from '../errors.ts';
import { findAccount } from './accounts/find-account.ts';

/** A queue by name, or an account by id. */
export type PauseTarget = `queue:${string}` | `account:${string}`;

export interface Pause {
  readonly target: PauseTarget;
  /** Whether the API also rejects new requests for it. */
  readonly isRefusing: boolean;
  readonly createdAt: Date;
}

/** Every process keeps all of them in memory. */
const maxPauses = 1_000;

const set = names(pauses);

/**
 * Pauses the target, or changes whether the API rejects requests for it. Throws `conflict` if there are too many
 * pauses.
 */
export async function addPause(db: Executor, target: PauseTarget, isRefusing: boolean): Promise<void> {
  const added = await execute(
    db,
    sql`insert into ${pauses} ${columnList(pauses.target, pauses.isRefusing)}
      select ${target}, ${isRefusing}::boolean where exists (select 1 from ${pauses} where ${pauses.target} = ${target})
        or (select count(*) from ${pauses}) < ${maxPauses}
      on conflict ${columnList(pauses.target)} do update set ${set.isRefusing} = excluded.${set.isRefusing}`,
  );
  if (added === 0) throw new AppError('conflict', `At most ${maxPauses} queues and accounts can be paused`);
}

/** False if the target was not paused. */
async function removePause(db: Executor, target: PauseTarget): Promise<boolean> {
  const removed = await run(
    db,
    db.delete(pauses).where(eq(pauses.target, target)).returning({ target: pauses.target }),
  );
  return removed.length > 0;
}

export async function listPauses(db: Executor): Promise<readonly Pause[]> {
  const { target, isRefusing, createdAt } = pauses;
  const rows = await run(db, db.select({ target, isRefusing, createdAt }).from(pauses).orderBy(asc(target)));
  return rows.map((row) => ({ ...row, target: row.target as PauseTarget }));
}

/** Pauses the targets, and returns all pauses. Throws `not_found` for an account that does not exist. */
export async function pause(
  db: Executor,
  targets: readonly PauseTarget[],
  isRefusing: boolean,
): Promise<{ readonly paused: readonly Pause[] }> {
  for (const target of targets) {
    if (target.startsWith('account:')) await findAccount(db, target.slice('account:'.length));
    await addPause(db, target, isRefusing);
  }
  return { paused: await listPauses(db) };
}

/** Ends the pauses of the targets, or all, and returns those that remain. */
export async function resume(
  db: Executor,
  targets: readonly PauseTarget[] | 'all',
): Promise<{ readonly resumed: readonly PauseTarget[]; readonly paused: readonly Pause[] }> {
  const named = targets === 'all' ? (await listPauses(db)).map(({ target }) => target) : targets;
  const resumed: PauseTarget[] = [];
  for (const target of named) if (await removePause(db, target)) resumed.push(target);
  return { resumed, paused: await listPauses(db) };
}
