import { z } from '@hono/zod-openapi';
import { findWebhookDelivery } from '../../../shared/domain/webhooks/find-webhook-delivery.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { webhookIdOf } from '../../webhooks/callbacks.ts';
import { problemResponses } from '../schemas.ts';
import { webhookOrCallbacksParam } from './webhook.ts';
import { toWebhookDelivery, webhookDeliveryIdParam, webhookDeliverySchema } from './webhook-delivery.ts';

export const getWebhookDeliveryOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
    operationId: 'getWebhookDelivery',
    summary: 'Get webhook delivery',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookOrCallbacksParam, deliveryId: webhookDeliveryIdParam }) },
    responses: {
      200: { description: 'The delivery.', content: { 'application/json': { schema: webhookDeliverySchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, deps) {
    const webhookId = await webhookIdOf(c, deps);
    const id = pathId(c, 'deliveryId');
    return c.json(toWebhookDelivery(await findWebhookDelivery(deps.db, c.get('accountId'), webhookId, id)));
  },
};
