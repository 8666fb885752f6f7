import { endExhaustedWebhooks, findDueWebhooks, removeOldEvents } from '../../shared/domain/webhooks/sweep-webhooks.ts';
import type { WorkerDeps } from '../deps.ts';
import { maxWebhookAttempts } from '../webhooks/webhook-outcome.ts';

const accountsAtOnce = 500;
const eventsAtOnce = 1_000;
const maxJobsPerAccount = 8;

/**
 * Enqueues every account with due deliveries, whose jobs Redis or a worker may have lost, and removes old events. Job ids per
 * account are limited, so that a stopped queue does not fill up.
 */
export async function recoverWebhooks(deps: WorkerDeps): Promise<void> {
  for (const id of await endExhaustedWebhooks(deps.db, maxWebhookAttempts)) {
    deps.logger.warn({ deliveryId: id }, 'a webhook delivery failed: its workers were lost');
  }
  for (const { accountId, count } of await findDueWebhooks(deps.db, accountsAtOnce)) {
    for (let job = 0; job < Math.min(count, maxJobsPerAccount); job++) {
      await deps.queues.add('webhook', `${accountId}.due-${job}`, { accountId });
    }
  }
  while ((await removeOldEvents(deps.db, eventsAtOnce)) === eventsAtOnce);
}
