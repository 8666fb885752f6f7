import { sql } from 'drizzle-orm';
import { aliased } from '../../../db/aliased.ts';
import type { Executor } from '../../../db/client.ts';
import { columnList, isAnyOf, isOneOf, names } from '../../../db/column-names.ts';
import { float8, rowOf } from '../../../db/row.ts';
import { batches, batchInFlightRows, batchRows, batchShares } from '../../../db/schema/batches.ts';
import { generations } from '../../../db/schema/documents.ts';
import { query } from '../../../db/statement.ts';
import type { RequestTrace } from '../../../request-trace.ts';
import { unfinishedStatuses } from '../../documents/claim-document.ts';
import { traceOf } from '../../documents/trace-of.ts';
import type { BatchQueue } from './batch-queue.ts';

export interface DispatchedRow {
  readonly documentId: string;
  readonly batchId: string;
  readonly dataOffset: number;
  readonly dataBytes: number;
  /** Attempts so far; more than 0 for a row that was requeued. */
  readonly attempts: number;
  /** Distinguishes the job of this dispatch from that of an earlier one, which may still be running. */
  readonly dispatchedAt: Date;
  /** The request that created the batch. */
  readonly trace?: RequestTrace | undefined;
}

const dispatchedRow = rowOf({
  generation_id: batchRows.documentId,
  data_offset: float8,
  data_bytes: batchRows.dataBytes,
  attempts: generations.attempts,
  dispatched_at: batchInFlightRows.dispatchedAt,
  trace: generations.trace,
});
const r = aliased(batchRows, 'r');
const g = aliased(generations, 'g');
const row = names(batchRows);
const batch = names(batches);
const share = names(batchShares);

/**
 * Marks the next rows of a batch as in flight, each once, and charges their account. Skips rows whose documents have
 * ended in the meantime. A row that was requeued while a worker still holds it is dispatched too, so that it is
 * recovered if that worker crashes. Returns fewer rows than requested if the batch has fewer, or once their data reach
 * `bytes`; the last row may exceed it.
 */
export async function dispatchRows(
  db: Executor,
  { batchId, accountId, format }: { readonly batchId: string; readonly accountId: string; readonly format: BatchQueue },
  { rows: limit, bytes, costUs }: { readonly rows: number; readonly bytes: number; readonly costUs: number },
): Promise<readonly DispatchedRow[]> {
  const f = batchInFlightRows;
  const columns = columnList(
    ...[f.documentId, f.batchId, f.accountId, f.format, f.dataBytes, f.chargedUs, f.dispatchedAt],
  );
  const rows = await query(
    db,
    dispatchedRow,
    sql`with next as (
        select ${r.batchId} as batch_id, ${r.row} as row, ${r.dataBytes} as data_bytes from ${batchRows} ${r}
        where ${r.batchId} = ${batchId} and ${r.dispatchedAt} is null
        order by ${r.row} limit ${limit} for update skip locked
      ), fitting as (
        select batch_id, row, sum(data_bytes) over (order by row) - data_bytes as before from next
      ), dispatched as (
        update ${batchRows} ${r} set ${row.dispatchedAt} = now() from fitting
        where ${r.batchId} = fitting.batch_id and ${r.row} = fitting.row and fitting.before < ${bytes}
        returning ${r.documentId} as generation_id, ${r.row} as row, ${r.dataOffset} as data_offset, ${r.dataBytes} as data_bytes
      ), in_flight as (
        insert into ${batchInFlightRows} ${columns}
        select t.generation_id, ${batchId}, ${accountId}, ${format}, t.data_bytes, ${Math.round(costUs)}, now()
        from dispatched t join ${generations} ${g} on ${g.id} = t.generation_id and ${isAnyOf(g.status, unfinishedStatuses)}
        on conflict do nothing returning ${f.documentId} as generation_id, ${f.dispatchedAt} as dispatched_at
      ), started as (
        update ${batches} set ${batch.status} = 'running', ${batch.startedAt} = coalesce(${batches.startedAt}, now())
        where ${batches.id} = ${batchId} and ${isOneOf(batches.status, 'accepted')}
      ), charged as (
        update ${batchShares} set ${share.virtualTime} = ${batchShares.virtualTime}
          + round((select count(*) from in_flight) * ${costUs}::numeric / ${batchShares.weight})
        where ${batchShares.accountId} = ${accountId} and ${batchShares.format} = ${format}
      )
      select t.generation_id, t.data_offset::float, t.data_bytes, ${g.attempts}, in_flight.dispatched_at, ${traceOf(g)} as trace
      from dispatched t join in_flight using (generation_id) join ${generations} ${g} on ${g.id} = t.generation_id
      order by t.row`,
  );
  return rows.map((dispatched) => ({
    documentId: dispatched.generation_id,
    batchId,
    dataOffset: dispatched.data_offset,
    dataBytes: dispatched.data_bytes,
    attempts: dispatched.attempts,
    dispatchedAt: dispatched.dispatched_at,
    trace: dispatched.trace ?? undefined,
  }));
}
