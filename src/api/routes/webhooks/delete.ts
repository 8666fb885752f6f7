import { z } from '@hono/zod-openapi';
import { removeWebhook } from '../../../shared/domain/webhooks/manage-webhooks.ts';
import { webhookPrecondition } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { ifMatchHeader, problemResponses } from '../common-schemas.ts';
import { webhookIdParam } from './webhook-resource.ts';

export const deleteWebhookOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'delete',
    path: '/v1/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Delete webhook',
    description: 'Deletes the webhook with its deliveries. An event that is being sent may still arrive.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookIdParam }), headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(400, 404, 412) },
  },
  async handle(c, { db }) {
    const precondition = webhookPrecondition(c);
    await removeWebhook(db, c.get('accountId'), pathId(c), { precondition });
    return c.body(null, 204);
  },
};
