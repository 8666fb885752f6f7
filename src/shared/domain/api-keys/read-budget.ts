import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';

/** How many documents a key may still order in this calendar month (UTC); undefined for a key without a budget. */
export async function readBudget(db: Executor, keyId: string): Promise<number | undefined> {
  const [row] = await run<{ left: number }>(
    db,
    sql`select greatest(0, k.docs_per_month - coalesce(s.docs, 0)) as left
      from api_keys k left join key_spending s
        on s.key_id = k.id and s.month = date_trunc('month', ${nowOr()} at time zone 'UTC')::date
      where k.id = ${keyId} and k.docs_per_month is not null`,
  );
  return row?.left;
}
