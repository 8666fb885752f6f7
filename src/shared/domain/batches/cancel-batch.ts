import { and, desc, eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Database, Executor } from '../../db/client.ts';
import { hasNone, isOneOf, names } from '../../db/column-names.ts';
import { bool, cast, int4, rowOf } from '../../db/row.ts';
import { batches } from '../../db/schema/batches.ts';
import { generations } from '../../db/schema/documents.ts';
import { allowances } from '../../db/schema/quota.ts';
import { jsonbValue, nowPlus, query, run } from '../../db/statement.ts';
import { isBehind, nextCursor, type TimeCursor } from '../../db/time-cursor.ts';
import { AppError, type ErrorRecord } from '../../errors.ts';
import { returnBudget } from '../api-keys/budget.ts';
import { withoutPasswords } from '../documents/erase-passwords.ts';
import { reverseEntries } from '../documents/fail-document.ts';
import { findBatch } from './find-batches.ts';

const rowsPerStatement = 1_000;
const timeLimitMs = 5_000;

/**
 * Cancels a batch at its owner's request. Waiting rows are cancelled and their quota is released; rows that a worker
 * has claimed are finished. Rows not released within 5 seconds, or before a crash, are left to the sweep. Throws
 * `conflict` for a batch that has completed or failed.
 */
export async function cancelBatch(
  db: Database,
  accountId: string,
  { id, ttlSeconds }: { readonly id: string; readonly ttlSeconds: number },
): Promise<void> {
  const isBatchOpen = isOneOf(batches.status, 'accepted', 'running', 'bundling');
  const cancelled = await run(
    db,
    db
      .update(batches)
      .set({
        status: 'cancelled',
        finishedAt: sql`now()`,
        bundleToken: null,
        expiresAt: nowPlus(ttlSeconds * 1_000),
      })
      .where(and(eq(batches.id, id), eq(batches.accountId, accountId), isBatchOpen))
      .returning({ id: batches.id }),
  );
  // failpoint: batch-cancelled
  if (cancelled.length === 0) {
    const { status } = await findBatch(db, accountId, id);
    if (status !== 'cancelled') throw new AppError('conflict', `The batch has ${status} and cannot be cancelled`);
  }
  try {
    const endMs = performance.now() + timeLimitMs;
    while (performance.now() < endMs && (await cancelWaiting(db, id, rowsPerStatement)) === rowsPerStatement);
  } catch (error) {
    // The batch is already cancelled; the sweep releases the remaining rows.
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
  }
}

const batchEnded: ErrorRecord = { code: 'conflict', message: 'The batch ended before this row was produced' };

const countRow = rowOf({ count: int4 });
const g = aliased(generations, 'g');
const b = aliased(batches, 'b');
const a = aliased(allowances, 'a');
const set = names(generations);
const erased = withoutPasswords(g);
const allowance = names(allowances);

/**
 * Cancels up to `limit` rows that no worker has claimed, of a batch that was cancelled or has failed, and releases
 * their quota, in one statement. Returns their number; call it until it returns fewer than `limit`.
 */
export async function cancelWaiting(db: Executor, batchId: string, limit: number): Promise<number> {
  const [row] = await query(
    db,
    countRow,
    sql`with ended as (
        select ${b.id} from ${batches} ${b} where ${b.id} = ${batchId} and ${isOneOf(b.status, 'cancelled', 'failed')}
      ), next as (
        select ${g.id} from ${generations} ${g} join ended on ended.id = ${g.batchId} where ${isOneOf(g.status, 'queued')}
        limit ${limit} for update of g skip locked
      ), done as (
        update ${generations} ${g} set ${set.status} = 'cancelled', ${set.finishedAt} = now(),
          ${set.error} = ${jsonbValue(batchEnded)}, ${set.email} = null, ${set.pdfOptions} = ${erased.pdfOptions},
          ${set.renderOptions} = ${erased.renderOptions}
        from next where ${g.id} = next.id and ${g.status} = ${'queued'}::text returning ${g}.*
      ), ${reverseEntries('reserve', 'release')}, back as (
        select allowance_id, sum(units)::int as units from entry group by allowance_id
      ), locked as (
        select back.* from ${allowances} ${a} join back on back.allowance_id = ${a.id}
        order by ${a.kind} desc, ${a.endsAt} nulls last, ${a.id} for no key update of a
      ), released as (
        update ${allowances} ${a} set ${allowance.docsHeld} = ${a.docsHeld} - locked.units
        from locked where ${a.id} = locked.allowance_id returning 1
      ), ${returnBudget(sql`done`, sql`released`)}
      select count(*)::int as count from done`,
  );
  return row?.count ?? 0;
}

const hasWaiting = sql`not ${hasNone(sql`from ${generations} ${g}
  where ${g.batchId} = ${batches.id} and ${isOneOf(g.status, 'queued')}`)}`;
const { id: batchId, status, finishedAt } = batches;
const isAborted = isOneOf(status, 'cancelled', 'failed');

export interface AbortedBatches {
  /** Batches that still have waiting rows, because a process crashed or ran out of time. */
  readonly partly: readonly string[];
  readonly next: TimeCursor | undefined;
}

/** Checks the next batches that were cancelled or failed, in the order of their end. */
export async function findPartlyCancelled(db: Executor, after: TimeCursor, limit: number): Promise<AbortedBatches> {
  const page = await run(
    db,
    db
      .select({ id: batchId, at: finishedAt, hasWaiting: cast(bool, hasWaiting) })
      .from(batches)
      .where(and(isAborted, isBehind(finishedAt, batchId, after)))
      .orderBy(finishedAt, batchId)
      .limit(limit),
  );
  return { partly: page.flatMap((row) => (row.hasWaiting ? [row.id] : [])), next: nextCursor(page, limit) };
}

/** Finds the most recently cancelled or failed batches that still have waiting rows. */
export async function findJustCancelled(db: Executor, limit: number): Promise<readonly string[]> {
  const last = await run(
    db,
    db
      .select({ id: batchId, hasWaiting: cast(bool, hasWaiting) })
      .from(batches)
      .where(isAborted)
      .orderBy(desc(finishedAt), desc(batchId))
      .limit(limit),
  );
  return last.flatMap((row) => (row.hasWaiting ? [row.id] : []));
}
