import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { run } from '../../../db/statement.ts';
import type { OutputFormat } from '../../generations/generation-record.ts';
import { statusValues } from '../../generations/status-values.ts';

export interface DispatchedRow {
  readonly generationId: string;
  readonly batchId: string;
  readonly dataOffset: number;
  readonly dataBytes: number;
  /** Of earlier times when it was with the format. */
  readonly attempts: number;
}

/**
 * Takes the next rows of a batch into the format's window, each of them once, and charges their account for them. Rows
 * whose documents have ended meanwhile are passed over; one that a worker has, though it was taken back, is handed out,
 * so that somebody looks after it when that worker dies. Answers fewer than asked for when the batch has fewer.
 */
export async function dispatchRows(
  db: Executor,
  batch: { readonly batchId: string; readonly accountId: string; readonly format: OutputFormat },
  { rows: limit, costUs }: { readonly rows: number; readonly costUs: number },
): Promise<readonly DispatchedRow[]> {
  const rows = await run<{ generation_id: string; data_offset: number; data_bytes: number; attempts: number }>(
    db,
    sql`with next as (
        select batch_id, row from batch_rows where batch_id = ${batch.batchId} and dispatched_at is null
        order by row limit ${limit} for update skip locked
      ), taken as (
        update batch_rows r set dispatched_at = now() from next where r.batch_id = next.batch_id and r.row = next.row
        returning r.generation_id, r.row, r.data_offset, r.data_bytes
      ), enqueued as (
        insert into batch_in_flight_rows (generation_id, batch_id, account_id, format, data_bytes, charged_us, dispatched_at)
        select t.generation_id, ${batch.batchId}, ${batch.accountId}, ${batch.format}, t.data_bytes, ${Math.round(costUs)}, now()
        from taken t join generations g on g.id = t.generation_id and g.status = any(${sql.param(statusValues.unfinished)}::text[])
        on conflict do nothing returning generation_id
      ), begun as (
        update batches set status = 'running', started_at = coalesce(started_at, now())
        where id = ${batch.batchId} and status = 'accepted'
      ), charged as (
        update batch_shares set virtual_time = virtual_time + round((select count(*) from enqueued) * ${costUs}::numeric / weight)
        where account_id = ${batch.accountId} and format = ${batch.format}
      )
      select t.generation_id, t.data_offset::float, t.data_bytes, g.attempts from taken t join enqueued using (generation_id)
      join generations g on g.id = t.generation_id order by t.row`,
  );
  return rows.map((row) => ({
    generationId: row.generation_id,
    batchId: batch.batchId,
    dataOffset: row.data_offset,
    dataBytes: row.data_bytes,
    attempts: row.attempts,
  }));
}
