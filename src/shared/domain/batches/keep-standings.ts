import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import type { OutputFormat } from '../generations/generation-record.ts';

/** Writes down who joined and where, and who has nothing to do any more. */
export async function keepStandings(
  db: Executor,
  lane: OutputFormat,
  joined: ReadonlyMap<string, number>,
  left: readonly string[],
): Promise<void> {
  if (joined.size === 0 && left.length === 0) return;
  const passes = [...joined.values()].map(Math.round);
  await run(
    db,
    sql`with joined as (
        update batch_turns t set is_active = true, pass = j.pass
        from unnest(${sql.param([...joined.keys()])}::text[], ${sql.param(passes)}::bigint[]) as j (account_id, pass)
        where t.account_id = j.account_id and t.lane = ${lane}
      )
      update batch_turns set is_active = false where lane = ${lane} and account_id = any(${sql.param(left)}::text[])`,
  );
}
