import { z } from '@hono/zod-openapi';
import { removeWebhook } from '../../../shared/domain/webhooks/remove-webhook.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';
import { webhookIdParam } from './webhook.ts';

export const removeWebhookOperation: Operation = {
  route: {
    method: 'delete',
    path: '/v1/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Delete webhook',
    description: 'With its deliveries. What is on its way to it may still arrive.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookIdParam }) },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(404) },
  },
  async handle(c, { db }) {
    await removeWebhook(db, c.get('accountId'), pathId(c));
    return c.body(null, 204);
  },
};
