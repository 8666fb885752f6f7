import { endHopelessWebhooks, findDueWebhooks, removeOldEvents } from '../../shared/domain/webhooks/sweep-webhooks.ts';
import type { WorkerDeps } from '../deps.ts';
import { maxWebhookAttempts } from '../webhooks/webhook-outcome.ts';

const accountsAtOnce = 500;
const eventsAtOnce = 1_000;
const jobsOfAccount = 8;

/**
 * Queues every account with deliveries that are due: what Redis lost, what dead workers left, what was never queued. The
 * jobs have few names for each account, so that a lane that stands still does not fill up. Removes what is old.
 */
export async function recoverWebhooks(deps: WorkerDeps): Promise<void> {
  for (const id of await endHopelessWebhooks(deps.db, maxWebhookAttempts)) {
    deps.logger.warn({ deliveryId: id }, 'a webhook ended failed: its workers were lost');
  }
  for (const { accountId, count } of await findDueWebhooks(deps.db, accountsAtOnce)) {
    for (let job = 0; job < Math.min(count, jobsOfAccount); job++) {
      await deps.queues.add('webhook', `${accountId}.due-${job}`, { accountId });
    }
  }
  while ((await removeOldEvents(deps.db, eventsAtOnce)) === eventsAtOnce);
}
