import { z } from '@hono/zod-openapi';
import { listWebhooks } from '../../../shared/domain/webhooks/find-webhooks.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { toWebhookResource, webhookSchema } from './webhook-resource.ts';

export const listWebhooksOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'All webhooks of the account, newest first.',
    tags: ['Webhooks'],
    responses: {
      200: {
        description: 'Webhooks.',
        content: { 'application/json': { schema: z.array(webhookSchema).openapi('WebhookList') } },
      },
      ...problemResponses(),
    },
  },
  async handle(c, { db }) {
    const webhooks = await listWebhooks(db, c.get('accountId'));
    return c.json(webhooks.map((webhook) => toWebhookResource(webhook)));
  },
};
