import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

/**
 * Sets how many documents a key may order in a calendar month (UTC); null for as many as its account has. What it ordered
 * before it had a budget does not count.
 */
export async function setKeyBudget(
  db: Executor,
  keyId: string,
  docsPerMonth: number | null,
): Promise<{ readonly keyId: string; readonly docsPerMonth: number | null }> {
  const rows = await run(
    db,
    sql`update api_keys set docs_per_month = ${docsPerMonth}::int where id = ${keyId} returning id`,
  );
  if (rows.length === 0) throw new AppError('not_found', `There is no key ${keyId}`);
  return { keyId, docsPerMonth };
}
