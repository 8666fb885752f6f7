import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { run } from '../../../db/statement.ts';
import { AppError } from '../../../errors.ts';

/** An account of weight 2 gets twice the working time of one of weight 1 for its batches, when both want it. */
export async function setBatchWeight(
  db: Executor,
  { accountId, weight }: { readonly accountId: string; readonly weight: number },
): Promise<{ readonly accountId: string; readonly weight: number }> {
  const rows = await run(
    db,
    sql`insert into batch_shares (account_id, format, weight)
      select id, format, ${weight} from accounts, (values ('docx'), ('pdf')) lanes (format) where id = ${accountId}
      on conflict (account_id, format) do update set weight = excluded.weight returning format`,
  );
  if (rows.length === 0) throw new AppError('not_found', `There is no account ${accountId}`);
  return { accountId, weight };
}
