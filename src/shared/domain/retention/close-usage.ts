import { sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Database } from '../../db/client.ts';
import { type Connection, send } from '../../db/partitions.ts';
import { ledger } from '../../db/schema/quota.ts';
import { usageDays } from '../../db/schema/usage.ts';
import { timeValue } from '../../db/statement.ts';
import { closeDay } from '../usage/close-days.ts';
import { l } from './retained-rows.ts';

const u = aliased(usageDays, 'u');

/**
 * Totals the days before the cutoff for the documents with ids from `from` (inclusive) to `to` (exclusive), while these
 * documents still exist: afterwards, usage reads only the totals. False if time ran out; the next call continues.
 */
export async function closeUsage(
  client: Connection,
  db: Database,
  {
    from,
    to,
    cutoff,
    untilMs,
  }: { readonly from: string; readonly to: string; readonly cutoff: Date; readonly untilMs: number },
): Promise<boolean> {
  const day = sql`(${l.createdAt} at time zone 'UTC')::date`;
  const open = await send<{ account_id: string; day: string }>(
    client,
    sql`select ended.account_id, ended.day::text as day from (
        select distinct ${l.accountId} as account_id, ${day} as day from ${ledger} ${l}
        where ${l.documentId} >= ${from} and ${l.documentId} < ${to} and ${l.kind} <> 'reserve'
          and ${l.createdAt} < ${timeValue(cutoff)}) ended
      where not exists (select 1 from ${usageDays} ${u} where ${u.accountId} = ended.account_id and ${u.day} = ended.day)`,
  );
  for (const { account_id: accountId, day: name } of open) {
    if (performance.now() > untilMs) return false;
    await closeDay(db, accountId, name);
  }
  return true;
}
