import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

/** Rows of a batch are kept until it has ended, and then no less long than it. */
const isOver = sql`g.result_store = 'object' and g.expires_at < now() and not exists (
    select 1 from deliveries d where d.generation_id = g.id and d.status in ('pending', 'sending', 'transmitting'))
  and not exists (select 1 from batches b where b.id = g.batch_id
    and (b.status in ('accepted', 'running', 'bundling') or b.expires_at > now()))`;

/** Finished documents whose kept bytes are past their time and whose deliveries have ended. */
export async function findExpiredResults(
  db: Executor,
  limit: number,
): Promise<readonly { readonly id: string; readonly objectKey: string }[]> {
  const rows = await run<{ id: string; result_key: string }>(
    db,
    sql`select id, result_key from generations g where ${isOver} order by expires_at limit ${limit}`,
  );
  return rows.map((row) => ({ id: row.id, objectKey: row.result_key }));
}

/** Forgets where the bytes were, and whom they were mailed to, once the object is gone. */
export async function markResultExpired(db: Executor, id: string): Promise<void> {
  await run(
    db,
    sql`update generations g set result_store = null, result_key = null, email = null where id = ${id} and ${isOver}`,
  );
}
