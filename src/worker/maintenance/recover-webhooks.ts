import {
  endExhaustedWebhooks,
  findDueWebhooks,
  findLeftWebhooks,
  removeOldEvents,
} from '../../shared/domain/webhooks/sweep-webhooks.ts';
import type { WorkerDeps } from '../deps.ts';
import { maxWebhookAttempts } from '../retry-policy.ts';
import { walk } from './walk.ts';

const targetsAtOnce = 200;
const eventsAtOnce = 1_000;
const maxJobsPerAccount = 8;

/**
 * Enqueues accounts with due deliveries, whose jobs may have been lost by Redis or a worker, and removes old events.
 * Job ids per account are limited, so that a stopped queue does not fill up.
 */
export async function recoverWebhooks(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  for (const id of await endExhaustedWebhooks(deps.db, maxWebhookAttempts)) {
    deps.logger.warn({ deliveryId: id }, 'a webhook delivery failed: its workers were lost');
  }
  const left = await findLeftWebhooks(deps.db, targetsAtOnce);
  await enqueue(deps, new Map(left.map((accountId) => [accountId, maxJobsPerAccount])));
  await walk(deps, 'webhooks', untilMs, async (after) => {
    const limits = { limit: targetsAtOnce, maxCount: maxJobsPerAccount };
    const { accounts, next } = await findDueWebhooks(deps.db, after, limits);
    return { next, hadWork: (await enqueue(deps, accounts)) > 0 };
  });
  const days = deps.config.RETENTION_WEBHOOK_EVENTS_DAYS;
  while ((await removeOldEvents(deps.db, eventsAtOnce, days)) >= eventsAtOnce && performance.now() < untilMs);
}

/** Adds jobs for the given numbers of due deliveries; returns how many were missing. */
async function enqueue(deps: WorkerDeps, accounts: ReadonlyMap<string, number>): Promise<number> {
  const owners = new Map<string, string>();
  for (const [accountId, count] of accounts) {
    for (let job = 0; job < Math.min(count, maxJobsPerAccount); job++) owners.set(`${accountId}.due-${job}`, accountId);
  }
  if (owners.size === 0) return 0;
  const missing = await deps.queues.findMissing('webhook', [...owners.keys()]);
  await deps.queues.addMany(
    'webhook',
    missing.map((jobId) => ({ jobId, payload: { accountId: owners.get(jobId) ?? '' } })),
  );
  return missing.length;
}
