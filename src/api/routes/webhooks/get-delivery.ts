import { z } from '@hono/zod-openapi';
import { findWebhookDelivery } from '../../../shared/domain/webhooks/webhook-deliveries.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import {
  toWebhookDeliveryResource,
  webhookDeliveryIdParam,
  webhookDeliverySchema,
} from './webhook-delivery-resource.ts';
import { resolveWebhookId, webhookOrCallbacksParam } from './webhook-resource.ts';

export const getWebhookDeliveryOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
    operationId: 'getWebhookDelivery',
    summary: 'Get webhook delivery',
    description: 'One event of a webhook, with the response to the last attempt.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookOrCallbacksParam, deliveryId: webhookDeliveryIdParam }) },
    responses: {
      200: { description: 'The delivery.', content: { 'application/json': { schema: webhookDeliverySchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, deps) {
    const webhookId = await resolveWebhookId(c, deps);
    const id = pathId(c, 'deliveryId');
    return c.json(toWebhookDeliveryResource(await findWebhookDelivery(deps.db, c.get('accountId'), webhookId, id)));
  },
};
