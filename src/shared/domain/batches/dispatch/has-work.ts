import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { run } from '../../../db/statement.ts';
import type { OutputFormat } from '../../generations/generation-record.ts';

/** Is there anything to do for the dispatcher of this format? Cheap, for the many times when there is not. */
export async function hasWork(db: Executor, format: OutputFormat): Promise<boolean> {
  const [row] = await run<{ has_work: boolean }>(
    db,
    sql`select exists (select 1 from batches where status in ('accepted', 'running') and format = ${format})
      or exists (select 1 from batch_in_flight_rows where format = ${format}) as has_work`,
  );
  return row?.has_work === true;
}
