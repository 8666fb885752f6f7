import { and, eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isAnyOf, isOneOf } from '../../db/column-names.ts';
import { batches, batchInFlightRows, batchRows } from '../../db/schema/batches.ts';
import { generations } from '../../db/schema/generations.ts';
import { run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import type { OutputFormat } from '../generations/generation-record.ts';
import type { BundleKind } from './find-batches.ts';

const r = aliased(batchRows, 'r');
const g = aliased(generations, 'g');
const f = aliased(batchInFlightRows, 'f');
const { id, status, startedAt, acceptedAt } = batches;

const isDispatched = sql`not exists (
  select 1 from ${batchRows} ${r} where ${r.batchId} = ${id} and ${r.dispatchedAt} is null)`;

/** Batches in progress whose rows have all been dispatched and are no longer in flight, oldest first. */
export async function findFullyDispatched(
  db: Executor,
  format: OutputFormat,
  limit: number,
): Promise<readonly string[]> {
  const isEmpty = sql`not exists (select 1 from ${batchInFlightRows} ${f} where ${f.batchId} = ${id})`;
  const rows = await run(
    db,
    db
      .select({ id })
      .from(batches)
      .where(and(isOneOf(status, 'accepted', 'running'), eq(batches.format, format), isDispatched, isEmpty))
      .orderBy(acceptedAt)
      .limit(limit),
  );
  return rows.map((row) => row.id);
}

/**
 * Moves batches whose rows have all ended to `bundling`. Returns those moved by this call; no other call returns them.
 */
export async function startBundling(db: Executor, batchIds: readonly string[]): Promise<readonly string[]> {
  const isFinished = sql`not exists (
    select 1 from ${generations} ${g} where ${g.batchId} = ${id} and ${isOneOf(g.status, 'queued', 'running')})`;
  const rows = await run(
    db,
    db
      .update(batches)
      .set({ status: 'bundling', startedAt: sql`coalesce(${startedAt}, now())` })
      .where(and(isAnyOf(id, batchIds), isOneOf(status, 'accepted', 'running'), isDispatched, isFinished))
      .returning({ id }),
  );
  return rows.map((row) => row.id);
}

/** The batches whose bundle is due or in progress, oldest first. */
export async function findBundling(db: Executor, limit: number): Promise<readonly string[]> {
  const rows = await run(
    db,
    db.select({ id }).from(batches).where(isOneOf(status, 'bundling')).orderBy(acceptedAt).limit(limit),
  );
  return rows.map((row) => row.id);
}

/** The data a worker needs to bundle a batch. */
export interface ClaimedBundle {
  readonly id: string;
  readonly accountId: string;
  readonly bundle: BundleKind;
  readonly bundleName: string;
  readonly bundleToken: string;
  /** Including this one. */
  readonly attempts: number;
  readonly acceptedAt: Date;
}

/**
 * Claims a batch whose rows have all ended for one attempt at its bundle. The new token fences every earlier attempt:
 * only its holder can end the batch. Undefined when there is nothing to bundle.
 */
export async function claimBundle(db: Executor, batchId: string): Promise<ClaimedBundle | undefined> {
  const bundleToken = newId('att');
  const { accountId, bundle, bundleName, bundleAttempts } = batches;
  const [row] = await run(
    db,
    db
      .update(batches)
      .set({ bundleToken, bundleAttempts: sql`${bundleAttempts} + 1` })
      .where(and(eq(id, batchId), isOneOf(status, 'bundling')))
      .returning({ id, accountId, bundle, bundleName, attempts: bundleAttempts, acceptedAt }),
  );
  return row && { ...row, bundleToken };
}
