import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

/** The batches whose bundle is due or under way, longest accepted first. */
export async function findBundling(db: Executor, limit: number): Promise<readonly string[]> {
  const rows = await run<{ id: string }>(
    db,
    sql`select id from batches where status = 'bundling' order by accepted_at limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
