import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { EventType } from './event-types.ts';

export const maxWebhooks = 20;

export interface WebhookInput {
  readonly id: string;
  readonly url: string;
  readonly description: string | undefined;
  readonly events: readonly EventType[];
  /** As it is to be stored. */
  readonly secret: string;
}

/** Adds an endpoint. Throws `conflict` when the account has its 20 already; the account's row keeps parallel calls apart. */
export async function createWebhook(db: Executor, accountId: string, input: WebhookInput): Promise<void> {
  await inTransaction(db, async (tx) => {
    await run(tx, sql`select 1 from accounts where id = ${accountId} for no key update`);
    const rows = await run(
      tx,
      sql`insert into webhook_endpoints (id, account_id, kind, url, description, events, status, secret, created_at, updated_at)
        select ${input.id}, ${accountId}, 'endpoint', ${input.url}, ${input.description ?? null},
          ${JSON.stringify(input.events)}::jsonb, 'enabled', ${input.secret}, ${nowOr()}, ${nowOr()}
        where (select count(*) from webhook_endpoints where account_id = ${accountId} and kind = 'endpoint') < ${maxWebhooks}
        returning id`,
    );
    if (rows.length === 0) {
      throw new AppError('conflict', `An account has at most ${maxWebhooks} webhooks. Delete one first.`);
    }
  });
}
