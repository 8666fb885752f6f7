import { z } from '@hono/zod-openapi';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhooks.ts';
import { listWebhookDeliveries } from '../../../shared/domain/webhooks/webhook-deliveries.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import type { Operation } from '../../http/operation.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { header, problemResponses } from '../common-schemas.ts';
import {
  toWebhookDeliveryResource,
  webhookDeliverySchema,
  webhookDeliveryStatusSchema,
} from './webhook-delivery-resource.ts';
import { resolveWebhookId, webhookOrCallbacksParam } from './webhook-resource.ts';

const query = z.object({
  limit: z.coerce.number('must be a number').int('must be a whole number').min(1).max(1000).default(100),
  cursor: z.string().max(200).optional(),
  status: webhookDeliveryStatusSchema.optional(),
});

export const listWebhookDeliveriesOperation: Operation = {
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
        headers: { Link: { ...header('The next page, when there is one (RFC 8288).'), required: false } },
        content: { 'application/json': { schema: z.array(webhookDeliverySchema) } },
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
