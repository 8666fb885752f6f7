import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { int4, rowOf, text } from '../../db/row.ts';
import { webhookEndpoints } from '../../db/schema/webhooks.ts';
import { query } from '../../db/statement.ts';
import type { SecretBox } from './secret-box.ts';

const { secret } = webhookEndpoints;
const keyRow = rowOf({ key_id: text, webhooks: int4 });

/** The ids of the keys that seal webhook secrets but are missing from `box`, with the number of affected webhooks. */
export function findMissingKeys(
  db: Executor,
  { keyIds }: SecretBox,
): Promise<readonly { readonly key_id: string; readonly webhooks: number }[]> {
  const keyId = sql`split_part(${secret}, '.', 2)`;
  return query(
    db,
    keyRow,
    sql`select ${keyId} as key_id, count(*)::int as webhooks from ${webhookEndpoints}
      where ${secret} like 'sealed.%' and ${keyId} <> all(${sql.param(keyIds)}::text[]) group by 1 order by 2 desc limit 10`,
  );
}
