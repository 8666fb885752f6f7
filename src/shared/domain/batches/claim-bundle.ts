import { and, eq, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Executor } from '../../db/client.ts';
import { isAnyOf, isOneOf } from '../../db/column-names.ts';
import { batches, batchRows } from '../../db/schema/batches.ts';
import { generations } from '../../db/schema/documents.ts';
import { run } from '../../db/statement.ts';
import { isBehind, nextCursor, type TimeCursor } from '../../db/time-cursor.ts';
import { newId } from '../../ids.ts';
import type { RequestTrace } from '../../request-trace.ts';
import type { BundleKind } from './find-batches.ts';

const r = aliased(batchRows, 'r');
const g = aliased(generations, 'g');
const { id, status, startedAt, acceptedAt } = batches;

const isDispatched = sql`not exists (
  select 1 from ${batchRows} ${r} where ${r.batchId} = ${id} and ${r.dispatchedAt} is null)`;
const isFinished = sql`not exists (
  select 1 from ${generations} ${g} where ${g.batchId} = ${id} and ${isOneOf(g.status, 'queued', 'running')})`;

export interface OpenBatches {
  readonly ids: readonly string[];
  readonly next: string | undefined;
}

/** The next batches in progress after `after`, which is empty at the beginning. */
export async function findOpenBatches(db: Executor, after: string, limit: number): Promise<OpenBatches> {
  const [format = '', accountId = '', at = '', lastId = ''] = after.split(' ');
  const b = batches;
  const place = sql`(${b.format}, ${b.accountId}, ${b.acceptedAt}, ${id})`;
  const rows = await run(
    db,
    db
      .select({ id, format: b.format, accountId: b.accountId, acceptedAt })
      .from(batches)
      .where(
        and(
          isOneOf(status, 'accepted', 'running'),
          sql`${place} > (${format}, ${accountId}, ${at === '' ? '-infinity' : at}::timestamptz, ${lastId})`,
        ),
      )
      .orderBy(b.format, b.accountId, acceptedAt, id)
      .limit(limit),
  );
  const last = rows.length < limit ? undefined : rows.at(-1);
  const next = last && [last.format, last.accountId, last.acceptedAt.toISOString(), last.id].join(' ');
  return { ids: rows.map((row) => row.id), next };
}

/** The given batches in progress whose rows have all ended. */
export async function findFinished(db: Executor, batchIds: readonly string[]): Promise<readonly string[]> {
  const isOpen = isOneOf(status, 'accepted', 'running');
  const rows = await run(
    db,
    db
      .select({ id })
      .from(batches)
      .where(and(isAnyOf(id, batchIds), isOpen, isDispatched, isFinished)),
  );
  return rows.map((row) => row.id);
}

/**
 * Moves batches whose rows have all ended to `bundling`. Returns those moved by this call; no other call returns them.
 */
export async function startBundling(db: Executor, batchIds: readonly string[]): Promise<readonly string[]> {
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

export interface BundlingBatches {
  readonly ids: readonly string[];
  readonly next: TimeCursor | undefined;
}

/** The next batches whose bundle is due or in progress, oldest first. */
export async function findBundling(db: Executor, after: TimeCursor, limit: number): Promise<BundlingBatches> {
  const rows = await run(
    db,
    db
      .select({ id, at: acceptedAt })
      .from(batches)
      .where(and(isOneOf(status, 'bundling'), isBehind(acceptedAt, id, after)))
      .orderBy(acceptedAt, id)
      .limit(limit),
  );
  return { ids: rows.map((row) => row.id), next: nextCursor(rows, limit) };
}

/** The data that a worker needs to bundle a batch. */
export interface ClaimedBundle {
  readonly id: string;
  readonly accountId: string;
  readonly bundle: BundleKind;
  readonly bundleName: string;
  readonly bundleToken: string;
  /** Includes this one. */
  readonly attempts: number;
  readonly acceptedAt: Date;
  readonly templateId: string;
  readonly templateVersion: number;
  readonly trace: RequestTrace | undefined;
}

/**
 * Claims a batch whose rows have all ended for one attempt at its bundle. The new token fences every earlier attempt:
 * only its holder can end the batch. Undefined if there is nothing to bundle.
 */
export async function claimBundle(db: Executor, batchId: string): Promise<ClaimedBundle | undefined> {
  const bundleToken = newId('att');
  const { accountId, templateId, templateVersion, trace, bundle, bundleName, bundleAttempts } = batches;
  const [row] = await run(
    db,
    db
      .update(batches)
      .set({ bundleToken, bundleAttempts: sql`${bundleAttempts} + 1` })
      .where(and(eq(id, batchId), isOneOf(status, 'bundling')))
      .returning({
        id,
        accountId,
        templateId,
        templateVersion,
        trace,
        bundle,
        bundleName,
        acceptedAt,
        attempts: bundleAttempts,
      }),
  );
  return row && { ...row, trace: row.trace ?? undefined, bundleToken };
}
