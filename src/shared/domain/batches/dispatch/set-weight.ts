import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/client.ts';
import { columnList, excluded, names } from '../../../db/column-names.ts';
import { accounts } from '../../../db/schema/accounts.ts';
import { batchShares } from '../../../db/schema/batches.ts';
import { execute } from '../../../db/statement.ts';
import { AppError } from '../../../errors.ts';

/** Sets an account's fair-share weight: with weight 2 it gets twice the working time of an account with weight 1. */
export async function setBatchWeight(
  db: Executor,
  { accountId, weight }: { readonly accountId: string; readonly weight: number },
): Promise<{ readonly accountId: string; readonly weight: number }> {
  const s = batchShares;
  const written = await execute(
    db,
    sql`insert into ${batchShares} ${columnList(s.accountId, s.format, s.weight)}
      select ${accounts.id}, formats.format, ${weight} from ${accounts}, (values ('docx'), ('pdf')) formats (format)
      where ${accounts.id} = ${accountId}
      on conflict ${columnList(s.accountId, s.format)} do update set ${names(s).weight} = ${excluded(s.weight)}`,
  );
  // The queues of engines too, which the account gets with its first row there.
  await execute(db, sql`update ${s} set ${names(s).weight} = ${weight} where ${s.accountId} = ${accountId}`);
  if (written === 0) throw new AppError('not_found', `There is no account ${accountId}`);
  return { accountId, weight };
}
