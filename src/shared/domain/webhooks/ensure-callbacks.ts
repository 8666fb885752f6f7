import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import { toWebhookRecord, type WebhookRecord, type WebhookRow, webhookColumns } from './webhook-record.ts';

/** What signs the account's callbacks, made at its first use; `newSecret` answers one as it is to be stored. */
export async function ensureCallbacks(
  db: Executor,
  accountId: string,
  newSecret: (id: string) => string,
): Promise<WebhookRecord> {
  const found = await findCallbacks(db, accountId);
  if (found !== undefined) return found;
  const id = newId('whk');
  await run(
    db,
    sql`insert into webhook_endpoints (id, account_id, kind, events, status, secret, created_at, updated_at)
      values (${id}, ${accountId}, 'callbacks', '[]', 'enabled', ${newSecret(id)}, ${nowOr()}, ${nowOr()})
      on conflict do nothing`,
  );
  const made = await findCallbacks(db, accountId);
  if (made === undefined) throw new Error('the callbacks of an account were not made');
  return made;
}

async function findCallbacks(db: Executor, accountId: string): Promise<WebhookRecord | undefined> {
  const [row] = await run<WebhookRow>(
    db,
    sql`select ${webhookColumns} from webhook_endpoints where account_id = ${accountId} and kind = 'callbacks'`,
  );
  return row === undefined ? undefined : toWebhookRecord(row);
}
