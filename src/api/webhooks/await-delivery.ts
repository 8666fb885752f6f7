import { setTimeout as delay } from 'node:timers/promises';
import { findWebhookDelivery } from '../../shared/domain/webhooks/find-webhook-delivery.ts';
import type { WebhookDeliveryRecord } from '../../shared/domain/webhooks/webhook-delivery-record.ts';
import type { ApiDeps } from '../context.ts';

const patienceMs = 20_000;
const longestPauseMs = 1_000;

/** The delivery when it has ended, or as it is after 20 seconds. Looks at its row now and then. */
export async function awaitDelivery(
  { db, results }: ApiDeps,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<WebhookDeliveryRecord> {
  const place = results.enter(accountId);
  try {
    const untilMs = performance.now() + patienceMs;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      const delivery = await findWebhookDelivery(db, accountId, webhookId, id);
      if (delivery.finishedAt !== undefined || performance.now() > untilMs) return delivery;
      await delay(pauseMs);
    }
  } finally {
    place.leave();
  }
}
