import { setTimeout as delay } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { onceWithResult, rememberResult } from '../../../shared/domain/idempotency-keys.ts';
import type { WebhookDeliveryRecord } from '../../../shared/domain/webhooks/webhook-deliveries.ts';
import { findWebhookDelivery, startTest } from '../../../shared/domain/webhooks/webhook-deliveries.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { pathId } from '../../http/parse-request.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { toWebhookDeliveryResource, webhookDeliverySchema } from './webhook-delivery-resource.ts';
import { webhookIdParam } from './webhook-resource.ts';

const content = { 'application/json': { schema: webhookDeliverySchema } };

export const testWebhookOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Test webhook',
    description: 'Sends one `webhook.test` event, regardless of its subscriptions, and returns the result.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookIdParam }), headers: idempotencyHeader },
    responses: {
      200: { description: 'The delivery, ended.', content },
      202: { description: 'The delivery, still pending after 20 seconds.', content },
      ...problemResponses(400, 404, 409),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const webhookId = pathId(c);
    const claim = idempotencyClaim(c, deps, 'POST /v1/webhooks/test', webhookId);
    const newDeliveryId = newId('whd');
    const { result, isReplay } = await onceWithResult(deps.db, accountId, claim, async (tx) => {
      await startTest(tx, accountId, webhookId, newDeliveryId);
      return toWebhookDeliveryResource(await findWebhookDelivery(tx, accountId, webhookId, newDeliveryId));
    });
    const delivery = await awaitResult(deps, accountId, webhookId, result);
    const hasEnded = delivery.finishedAt !== undefined;
    if (claim !== undefined && hasEnded && !isReplay) await rememberResult(deps.db, accountId, claim.key, delivery);
    return c.json(delivery, hasEnded ? 200 : 202);
  },
};

type Delivery = ReturnType<typeof toWebhookDeliveryResource>;

/** The delivery once it has ended, or its initial state if its webhook has been deleted meanwhile. */
async function awaitResult(deps: ApiDeps, accountId: string, webhookId: string, started: Delivery): Promise<Delivery> {
  if (started.finishedAt !== undefined) return started;
  await deps.queues.add('webhook', started.id, { accountId });
  try {
    return toWebhookDeliveryResource(await awaitDelivery(deps, accountId, webhookId, started.id));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return started;
    throw error;
  }
}

const waitLimitMs = 20_000;
const maxPauseMs = 1_000;

/** Polls the delivery until it has ended, for 20 seconds at most. */
async function awaitDelivery(
  { db, waitingRequests }: ApiDeps,
  accountId: string,
  webhookId: string,
  id: string,
): Promise<WebhookDeliveryRecord> {
  const permit = waitingRequests.acquire(accountId);
  try {
    const deadline = performance.now() + waitLimitMs;
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const delivery = await findWebhookDelivery(db, accountId, webhookId, id);
      if (delivery.finishedAt !== undefined || performance.now() > deadline) return delivery;
      await delay(pauseMs);
    }
  } finally {
    permit.release();
  }
}
