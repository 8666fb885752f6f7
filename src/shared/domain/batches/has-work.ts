import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { OutputFormat } from '../generations/generation-record.ts';

/** Is there anything to do for the dispatcher of this lane? Cheap, for the many times when there is not. */
export async function hasWork(db: Executor, lane: OutputFormat): Promise<boolean> {
  const [row] = await run<{ has_work: boolean }>(
    db,
    sql`select exists (select 1 from batches where status in ('accepted', 'running') and format = ${lane})
      or exists (select 1 from batch_flights where lane = ${lane}) as has_work`,
  );
  return row?.has_work === true;
}
