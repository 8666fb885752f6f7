import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { GenerationStatus } from '../generations/generation-record.ts';

export type BatchProgress = Readonly<Record<GenerationStatus, number>>;

const nothing: BatchProgress = { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 };

/** How many rows of each of these batches have each status, counted from the documents themselves. */
export async function readProgress(
  db: Executor,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, BatchProgress>> {
  const rows = await run<{ batch_id: string; status: GenerationStatus; count: number }>(
    db,
    sql`select batch_id, status, count(*)::int as count from generations
      where batch_id = any(${sql.param(batchIds)}::text[]) group by batch_id, status`,
  );
  const progress = new Map<string, BatchProgress>(batchIds.map((id) => [id, nothing]));
  for (const { batch_id, status, count } of rows) {
    progress.set(batch_id, { ...(progress.get(batch_id) ?? nothing), [status]: count });
  }
  return progress;
}
