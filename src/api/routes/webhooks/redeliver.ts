import { z } from '@hono/zod-openapi';
import { onceWithResult } from '../../../shared/domain/idempotency-keys.ts';
import { findWebhookDelivery, redeliver } from '../../../shared/domain/webhooks/webhook-deliveries.ts';
import { newId } from '../../../shared/ids.ts';
import { pathId } from '../../http/parse-request.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { idempotencyHeader, problemResponses } from '../common-schemas.ts';
import {
  toWebhookDeliveryResource,
  webhookDeliveryIdParam,
  webhookDeliverySchema,
} from './webhook-delivery-resource.ts';
import { resolveWebhookId, webhookOrCallbacksParam } from './webhook-resource.ts';

export const redeliverOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    operationId: 'redeliverWebhook',
    summary: 'Redeliver webhook',
    description: 'Starts an ended delivery again, with all its attempts and the same `webhook-id`.',
    tags: ['Webhooks'],
    request: {
      params: z.object({ id: webhookOrCallbacksParam, deliveryId: webhookDeliveryIdParam }),
      headers: idempotencyHeader,
    },
    responses: {
      202: {
        description: 'The delivery, pending again.',
        content: { 'application/json': { schema: webhookDeliverySchema } },
      },
      ...problemResponses(400, 404, 409),
    },
  },
  async handle(c, deps) {
    const { db, queues, logger } = deps;
    const accountId = c.get('accountId');
    const webhookId = await resolveWebhookId(c, deps);
    const id = pathId(c, 'deliveryId');
    const claim = idempotencyClaim(c, deps, 'POST /v1/webhooks/redeliver', id);
    const { result } = await onceWithResult(db, accountId, claim, async (tx) => {
      await redeliver(tx, accountId, webhookId, id);
      return toWebhookDeliveryResource(await findWebhookDelivery(tx, accountId, webhookId, id));
    });
    await queues.add('webhook', newId('req'), { accountId }).catch((error: unknown) => {
      logger.warn({ err: error, deliveryId: id }, 'a webhook delivery is left to the sweep');
    });
    return c.json(result, 202);
  },
};
