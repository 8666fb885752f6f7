import { z } from '@hono/zod-openapi';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhooks.ts';
import { listWebhookDeliveries } from '../../../shared/domain/webhooks/webhook-deliveries.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import type { Operation } from '../../operation.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses } from '../common-schemas.ts';
import {
  toWebhookDeliveryResource,
  webhookDeliverySchema,
  webhookDeliveryStatusSchema,
} from './webhook-delivery-resource.ts';
import { resolveWebhookId, webhookOrCallbacksParam } from './webhook-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  status: webhookDeliveryStatusSchema
    .optional()
    .openapi({ param: { description: 'Only deliveries with this status.' } }),
});

export const listWebhookDeliveriesOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries',
    description:
      'Past and pending deliveries of the last 30 days, newest first. The `Link` header points to the next page.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookOrCallbacksParam }), query },
    responses: {
      200: {
        description: 'Deliveries.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(webhookDeliverySchema).openapi('WebhookDeliveryList') } },
      },
      ...problemResponses(400, 404),
    },
  },
  async handle(c, deps) {
    const { db, config } = deps;
    const accountId = c.get('accountId');
    const { cursor, ...filter } = parseQuery(query, c);
    const before = parseCursor(cursor, 'whd');
    const { id: webhookId } = await findWebhook(db, accountId, await resolveWebhookId(c, deps));
    const page = await listWebhookDeliveries(db, { accountId, webhookId, ...filter, before });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.deliveries.map(toWebhookDeliveryResource));
  },
};
