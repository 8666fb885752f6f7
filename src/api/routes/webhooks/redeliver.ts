import { z } from '@hono/zod-openapi';
import { findWebhookDelivery } from '../../../shared/domain/webhooks/find-webhook-delivery.ts';
import { once } from '../../../shared/domain/webhooks/once.ts';
import { redeliver } from '../../../shared/domain/webhooks/start-delivery.ts';
import { newId } from '../../../shared/ids.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { webhookIdOf } from '../../webhooks/callbacks.ts';
import { onceClaim } from '../../webhooks/once-claim.ts';
import { idempotencyHeader, problemResponses } from '../schemas.ts';
import { webhookOrCallbacksParam } from './webhook.ts';
import { toWebhookDelivery, webhookDeliveryIdParam, webhookDeliverySchema } from './webhook-delivery.ts';

export const redeliverOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    operationId: 'redeliverWebhook',
    summary: 'Redeliver webhook',
    description: 'Starts an ended delivery anew, with all its attempts, under the same `webhook-id`.',
    tags: ['Webhooks'],
    request: {
      params: z.object({ id: webhookOrCallbacksParam, deliveryId: webhookDeliveryIdParam }),
      headers: idempotencyHeader,
    },
    responses: {
      202: {
        description: 'The delivery, under way again.',
        content: { 'application/json': { schema: webhookDeliverySchema } },
      },
      ...problemResponses(400, 404, 409),
    },
  },
  async handle(c, deps) {
    const { db, queues, logger } = deps;
    const accountId = c.get('accountId');
    const webhookId = await webhookIdOf(c, deps);
    const id = pathId(c, 'deliveryId');
    const claim = onceClaim(c, deps, 'POST /v1/webhooks/redeliver', id);
    await once(db, accountId, newId('req'), claim, (tx) => redeliver(tx, accountId, webhookId, id));
    await queues.add('webhook', newId('req'), { accountId }).catch((error: unknown) => {
      logger.warn({ err: error, deliveryId: id }, 'a webhook is left to the sweep');
    });
    return c.json(toWebhookDelivery(await findWebhookDelivery(db, accountId, webhookId, id)), 202);
  },
};
