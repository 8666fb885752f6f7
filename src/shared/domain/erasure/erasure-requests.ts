import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Database, Executor, Transaction } from '../../db/client.ts';
import { isOneOf } from '../../db/column-names.ts';
import { erasures } from '../../db/schema/operators.ts';
import { nowPlus, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { recordAct } from '../audit/record-act.ts';

const e = erasures;
const c = aliased(erasures, 'c');

export type ErasureTarget =
  | { readonly kind: 'account' | 'document'; readonly target: string }
  | { readonly kind: 'recipient'; readonly recipient: string; readonly withinAccount: string | null };

export interface ErasureRecord {
  readonly erasureId: string;
  readonly kind: 'account' | 'document' | 'recipient';
  readonly target: string | null;
  readonly withinAccount: string | null;
  readonly state: 'waiting' | 'running' | 'succeeded' | 'failed';
  /** What was erased. */
  readonly result: Readonly<Record<string, string | number>> | null;
  /** Why it failed. */
  readonly error: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface ErasureRequest {
  readonly operatorKeyId: string;
  readonly address: string;
  /** The row of the audit log that recorded the start. */
  readonly auditId: string;
}

const columns = {
  erasureId: e.id,
  kind: e.kind,
  target: e.target,
  withinAccount: e.withinAccount,
  state: e.state,
  result: e.result,
  error: e.error,
  createdAt: e.createdAt,
  finishedAt: e.finishedAt,
};

/** Requests an erasure; an API process performs it after the transaction. */
export async function requestErasure(
  tx: Transaction,
  erasure: ErasureTarget,
  request: ErasureRequest,
): Promise<ErasureRecord> {
  const [row] = await run(
    tx,
    tx
      .insert(e)
      .values({ id: newId('ers'), ...erasure, ...request })
      .returning(columns),
  );
  if (row === undefined) throw new Error('the erasure was not stored');
  return row;
}

export async function findErasure(db: Executor, erasureId: string): Promise<ErasureRecord> {
  const [row] = await run(db, db.select(columns).from(e).where(eq(e.id, erasureId)));
  if (row === undefined) throw new AppError('not_found', `There is no erasure ${erasureId}`);
  return row;
}

/** A page of all erasures, newest first. */
export async function listErasures(
  db: Executor,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
): Promise<{ readonly erasures: readonly ErasureRecord[]; readonly next: string | null }> {
  const rows = await run(
    db,
    db
      .select(columns)
      .from(e)
      .where(before === undefined ? undefined : lt(e.id, before))
      .orderBy(desc(e.id))
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  return { erasures: page, next: rows.length > limit ? (page.at(-1)?.erasureId ?? null) : null };
}

/** A claimed erasure. */
export interface ErasureClaim {
  readonly id: string;
  readonly token: number;
  readonly kind: 'account' | 'document' | 'recipient';
  readonly target: string | null;
  readonly recipient: string | null;
  readonly withinAccount: string | null;
}

/** Claims the next due erasure for `leaseMs` milliseconds; undefined if there is none. */
export async function claimErasure(db: Executor, leaseMs: number): Promise<ErasureClaim | undefined> {
  const [claim] = await run(
    db,
    db
      .update(e)
      .set({ state: 'running', token: sql`${e.token} + 1`, dueAt: nowPlus(leaseMs) })
      .where(
        sql`${e.id} = (select ${c.id} from ${erasures} ${c} where ${c.dueAt} <= now() order by ${c.dueAt} limit 1 for update skip locked)`,
      )
      .returning({
        id: e.id,
        token: e.token,
        kind: e.kind,
        target: e.target,
        recipient: e.recipient,
        withinAccount: e.withinAccount,
      }),
  );
  return claim;
}

/** Extends the claim. False if another process has claimed the erasure. */
export async function extendErasure(
  db: Executor,
  { id, token }: Pick<ErasureClaim, 'id' | 'token'>,
  leaseMs: number,
): Promise<boolean> {
  const rows = await run(
    db,
    db
      .update(e)
      .set({ dueAt: nowPlus(leaseMs) })
      .where(and(eq(e.id, id), eq(e.token, token), isOneOf(e.state, 'running')))
      .returning({ id: e.id }),
  );
  return rows.length > 0;
}

/** Returns a claimed erasure, which is tried again after `delayMs` milliseconds. */
export async function postponeErasure(
  db: Executor,
  { id, token }: Pick<ErasureClaim, 'id' | 'token'>,
  delayMs: number,
): Promise<void> {
  await run(
    db,
    db
      .update(e)
      .set({ state: 'waiting', dueAt: nowPlus(delayMs) })
      .where(and(eq(e.id, id), eq(e.token, token), isOneOf(e.state, 'running'))),
  );
}

export type ErasureEnd =
  | { readonly result: Readonly<Record<string, string | number>> }
  | { readonly error: string; readonly code: string };

/** Ends a claimed erasure, and records it in the audit log. Does nothing if another process has claimed it. */
export async function endErasureRequest(
  db: Database,
  { id, token }: Pick<ErasureClaim, 'id' | 'token'>,
  end: ErasureEnd,
  host: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [row] = await run(
      tx,
      tx
        .update(e)
        .set({
          state: 'result' in end ? 'succeeded' : 'failed',
          result: 'result' in end ? end.result : null,
          error: 'error' in end ? end.error : null,
          recipient: null,
          dueAt: null,
          finishedAt: sql`now()`,
        })
        .where(and(eq(e.id, id), eq(e.token, token), isOneOf(e.state, 'running')))
        .returning({
          kind: e.kind,
          target: e.target,
          withinAccount: e.withinAccount,
          operatorKeyId: e.operatorKeyId,
          auditId: e.auditId,
        }),
    );
    if (row === undefined) return;
    const { kind, target, withinAccount, operatorKeyId, auditId } = row;
    await recordAct(tx, {
      operator: { actor: operatorKeyId, osUser: 'api', host },
      action: kind === 'account' ? 'delete-account' : 'erase',
      accountId: (kind === 'account' ? target : withinAccount) ?? undefined,
      target: target ?? undefined,
      options: {},
      outcome: 'result' in end ? 'succeeded' : 'failed',
      counts: 'result' in end ? numbersOf(end.result) : undefined,
      error: 'error' in end ? end.code : undefined,
      startId: auditId,
    });
  });
}

const numbersOf = (result: object): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(result).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
