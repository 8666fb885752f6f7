import { and, eq, lt, sql } from 'drizzle-orm';
import { aliased } from '../../../db/aliased.ts';
import type { Executor } from '../../../db/client.ts';
import { isAnyIdOf, isAnyOf, isOneOf, names } from '../../../db/column-names.ts';
import { int4, rowOf } from '../../../db/row.ts';
import { batchInFlightRows, batchRows, batchShares } from '../../../db/schema/batches.ts';
import { generations } from '../../../db/schema/documents.ts';
import { nowPlus, query, run } from '../../../db/statement.ts';
import { unfinishedStatuses } from '../../documents/claim-document.ts';
import type { DocumentStatus } from '../../documents/document-record.ts';
import type { BatchQueue } from './batch-queue.ts';

export interface StaleRow {
  readonly id: string;
  readonly format: BatchQueue;
  readonly status: DocumentStatus;
  readonly attempts: number;
  readonly dispatchedAt: Date;
}

/** Unfinished rows that were dispatched longer than `olderThanMs` ago. */
export function findStaleRows(db: Executor, olderThanMs: number): Promise<readonly StaleRow[]> {
  const { format, dispatchedAt, documentId } = batchInFlightRows;
  const { id, attempts, status } = generations;
  return run(
    db,
    db
      .select({ id, format, status, attempts, dispatchedAt })
      .from(batchInFlightRows)
      .innerJoin(generations, eq(id, documentId))
      .where(and(lt(dispatchedAt, nowPlus(-olderThanMs)), isOneOf(status, 'queued', 'running')))
      .orderBy(dispatchedAt),
  );
}

const countRow = rowOf({ count: int4 });
const f = aliased(batchInFlightRows, 'f');
const g = aliased(generations, 'g');
const r = aliased(batchRows, 'r');
const s = aliased(batchShares, 's');
const set = names(generations);
const share = names(batchShares);

/**
 * Returns rows to the waiting state after their jobs were not enqueued, were lost, or failed temporarily. Refunds their
 * accounts' virtual time, minus the working time of the `failed` attempt; a fenced attempt changes nothing. Finished
 * rows are not changed; a worker that still holds a row is fenced. Returns the number of requeued rows.
 */
export async function requeueRows(
  db: Executor,
  documentIds: readonly string[],
  failed?: { readonly attemptToken: string },
): Promise<number> {
  const [row] = await query(
    db,
    countRow,
    sql`with seen as (
        select ${g.id} as id, ${f.accountId} as account_id, ${f.format} as format, ${f.chargedUs} as charged_us,
          case when ${failed !== undefined}::boolean
            then coalesce(extract(epoch from now() - ${g.startedAt}) * 1000000, 0) else 0 end as used_us
        from ${generations} ${g} join ${batchInFlightRows} ${f} on ${f.documentId} = ${g.id}
        where ${isAnyIdOf(g.id, documentIds)} and ${isAnyOf(g.status, unfinishedStatuses)}
          and (${failed === undefined}::boolean or ${g.attemptToken} = ${failed?.attemptToken ?? null}) for update of g
      ), requeued as (
        update ${generations} ${g} set ${set.status} = 'queued', ${set.attemptToken} = null, ${set.startedAt} = null
        from seen where ${isAnyIdOf(g.id, documentIds)} and ${g.id} = seen.id and ${isAnyOf(g.status, unfinishedStatuses)}
        returning seen.*
      ), removed as (
        delete from ${batchInFlightRows} ${f} using requeued where ${f.documentId} = requeued.id
      ), refunded as (
        update ${batchShares} ${s} set ${share.virtualTime} = ${s.virtualTime} - round(c.unused_us / ${s.weight})
        from (select account_id, format, sum(charged_us - used_us) as unused_us from requeued group by account_id, format) c
        where ${s.accountId} = c.account_id and ${s.format} = c.format
      ), waiting as (
        update ${batchRows} ${r} set ${names(batchRows).dispatchedAt} = null from requeued
        where ${r.documentId} = requeued.id
      )
      select count(*)::int as count from requeued`,
  );
  return row?.count ?? 0;
}
