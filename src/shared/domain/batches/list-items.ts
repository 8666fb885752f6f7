import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { GenerationStatus } from '../generations/generation-record.ts';

/** One row of a batch; its document is a generation of its own. */
export interface BatchItem {
  /** Counted from 1, in the order of the request. */
  readonly row: number;
  readonly generationId: string;
  readonly status: GenerationStatus;
  readonly filename: string;
  readonly sizeBytes: number | undefined;
  readonly error: ErrorRecord | undefined;
}

export interface ItemPageInput {
  readonly batchId: string;
  readonly limit: number;
  /** The row that the page before ended with. */
  readonly after: number;
  readonly status?: GenerationStatus | undefined;
}

interface Row extends Record<string, unknown> {
  readonly row: number;
  readonly generation_id: string;
  readonly status: GenerationStatus;
  readonly filename: string;
  readonly result_bytes: number | null;
  readonly error: ErrorRecord | null;
}

/** A page of a batch's rows in their order, and the row to go on from when there are more. */
export async function listItems(
  db: Executor,
  { batchId, limit, after, status }: ItemPageInput,
): Promise<{ readonly items: readonly BatchItem[]; readonly next: number | undefined }> {
  const rows = await run<Row>(
    db,
    sql`select r.row, r.generation_id, g.status, g.filename, g.result_bytes, g.error
      from batch_rows r join generations g on g.id = r.generation_id
      where r.batch_id = ${batchId} and r.row > ${after}
        ${status === undefined ? sql`` : sql`and g.batch_id = ${batchId} and g.status = ${status}`}
      order by r.row limit ${limit + 1}`,
  );
  const items = rows.slice(0, limit).map((row) => ({
    row: row.row,
    generationId: row.generation_id,
    status: row.status,
    filename: row.filename,
    sizeBytes: row.result_bytes ?? undefined,
    error: row.error ?? undefined,
  }));
  return { items, next: rows.length > limit ? items.at(-1)?.row : undefined };
}
