import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

/** An account of weight 2 gets twice the working time of one of weight 1 for its batches, when both want it. */
export async function setBatchWeight(
  db: Executor,
  { accountId, weight }: { readonly accountId: string; readonly weight: number },
): Promise<{ readonly accountId: string; readonly weight: number }> {
  const rows = await run(
    db,
    sql`insert into batch_turns (account_id, lane, weight)
      select id, lane, ${weight} from accounts, (values ('docx'), ('pdf')) lanes (lane) where id = ${accountId}
      on conflict (account_id, lane) do update set weight = excluded.weight returning lane`,
  );
  if (rows.length === 0) throw new AppError('not_found', `There is no account ${accountId}`);
  return { accountId, weight };
}
