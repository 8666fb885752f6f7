import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';
import { emailEvents } from '../webhooks/email-events.ts';
import { eventOutbox } from '../webhooks/emit-event.ts';
import type { RecipientResult } from './delivery-record.ts';

export interface DeliveryOutcome {
  /** `pending` schedules another attempt after `retryInMs`. */
  readonly status: 'pending' | 'sent' | 'partial' | 'failed' | 'unknown';
  readonly recipients: readonly RecipientResult[];
  readonly reply: string | undefined;
  readonly retryInMs: number;
}

/** Ends an attempt. False when it was fenced: nothing is changed then. */
export async function settleDelivery(
  db: Executor,
  attempt: { readonly id: string; readonly attemptToken: string },
  outcome: DeliveryOutcome,
): Promise<boolean> {
  const isFinal = outcome.status !== 'pending';
  const rows = await run(
    db,
    sql`with done as (update deliveries set status = ${outcome.status}, recipients = ${JSON.stringify(outcome.recipients)}::jsonb,
        last_reply = ${outcome.reply ?? null}, next_attempt_at = ${nowOr()} + make_interval(secs => ${outcome.retryInMs / 1000}),
        locked_until = null, finished_at = case when ${isFinal} then now() end
      where id = ${attempt.id} and status in ('sending', 'transmitting') and attempt_token = ${attempt.attemptToken}
      returning *), ${eventOutbox(emailEvents())} select id from done`,
  );
  return rows.length === 1;
}
