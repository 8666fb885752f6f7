import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { nowOr, run } from '../../db/statement.ts';

const failingDaysAllowed = 3;

export interface WebhookOutcome {
  /** `pending` schedules another attempt after `retryInMs`. */
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly response: { readonly status: number; readonly body: string } | undefined;
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly retryInMs: number;
  /** What it tells about the endpoint: nothing for a test; `gone` disables it at once. */
  readonly health: 'good' | 'bad' | 'gone' | 'unknown';
}

/**
 * Ends an attempt and keeps the endpoint's health: three days without one success disable it. False when the attempt was
 * fenced or its webhook deleted: nothing is changed then.
 */
export async function settleWebhookDelivery(
  db: Executor,
  attempt: { readonly id: string; readonly attemptToken: string },
  outcome: WebhookOutcome,
): Promise<boolean> {
  const { status, response, error, durationMs, retryInMs } = outcome;
  const rows = await run(
    db,
    sql`with done as (
        update webhook_deliveries set status = ${status}, response_status = ${response?.status ?? null},
          response_body = ${response?.body ?? null}, error = ${error ?? null}, duration_ms = ${durationMs ?? null},
          next_attempt_at = ${nowOr()} + make_interval(secs => ${retryInMs / 1_000}), locked_until = null,
          finished_at = case when ${status !== 'pending'} then now() end
        where id = ${attempt.id} and status = 'sending' and attempt_token = ${attempt.attemptToken}
        returning id, endpoint_id
      ), health as (
        update webhook_endpoints e set ${healthOf(outcome.health)}
        from done where e.id = done.endpoint_id and e.kind = 'endpoint' and ${isNews(outcome.health)}
      )
      select id from done`,
  );
  return rows.length === 1;
}

function healthOf(health: WebhookOutcome['health']): SQL {
  if (health === 'gone') {
    return sql`status = 'disabled', disabled_reason = 'It answered 410 Gone', updated_at = ${nowOr()}`;
  }
  if (health !== 'bad') return sql`failing_since = null`;
  const reason = `Nothing could be delivered for ${failingDaysAllowed} days`;
  return sql`failing_since = coalesce(failing_since, ${nowOr()}),
    status = case when ${isFailingForLong} then 'disabled' else status end,
    disabled_reason = case when ${isFailingForLong} then ${reason} else disabled_reason end,
    updated_at = case when ${isFailingForLong} then ${nowOr()} else updated_at end`;
}

const isFailingForLong = sql`failing_since < now() - make_interval(days => ${failingDaysAllowed})`;

/** The endpoint's row is written only when there is something new to say: most attempts leave it alone. */
function isNews(health: WebhookOutcome['health']): SQL {
  switch (health) {
    case 'good':
      return sql`e.failing_since is not null`;
    case 'bad':
      return sql`e.status = 'enabled' and (e.failing_since is null or ${isFailingForLong})`;
    case 'gone':
      return sql`e.status = 'enabled'`;
    case 'unknown':
      return sql`false`;
  }
}
