import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

export interface FailedRow {
  readonly row: number;
  readonly generationId: string;
}

/** The rows of a batch whose documents failed, in their order; not those that were never fit to be made. */
export async function findFailedRows(db: Executor, batchId: string): Promise<readonly FailedRow[]> {
  const rows = await run<{ row: number; generation_id: string }>(
    db,
    sql`select r.row, r.generation_id from generations g join batch_rows r on r.generation_id = g.id
      where g.batch_id = ${batchId} and g.status = 'failed' and r.data_bytes > 0 order by r.row`,
  );
  return rows.map(({ row, generation_id }) => ({ row, generationId: generation_id }));
}
