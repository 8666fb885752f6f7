import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

const windowSeconds = 60;

/**
 * Rows a second that ended in the last minute, or since the batch was begun, whichever is shorter. Only of batches that
 * run and have ended rows.
 */
export async function readPace(db: Executor, batchIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await run<{ id: string; pace: number }>(
    db,
    sql`select b.id, (select count(*) from generations g where g.batch_id = b.id
          and g.status in ('succeeded', 'failed') and g.finished_at >= since.at)
        / greatest(1, extract(epoch from now() - since.at))::float8 as pace
      from batches b, lateral (select greatest(b.started_at, now() - make_interval(secs => ${windowSeconds})) as at) since
      where b.id = any(${sql.param(batchIds)}::text[]) and b.status = 'running' and b.started_at is not null`,
  );
  return new Map(rows.filter(({ pace }) => pace > 0).map(({ id, pace }) => [id, pace]));
}
