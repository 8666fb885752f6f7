import { z } from '@hono/zod-openapi';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhook.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { callbacksOf } from '../../webhooks/callbacks.ts';
import { problemResponses } from '../schemas.ts';
import { toWebhook, webhookOrCallbacksParam, webhookSchema } from './webhook.ts';

export const getWebhookOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'Get webhook',
    description: 'For `callbacks` the answer holds the secret that signs every `callbackUrl`.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookOrCallbacksParam }) },
    responses: {
      200: { description: 'The webhook.', content: { 'application/json': { schema: webhookSchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    if (c.req.param('id') === 'callbacks') {
      const callbacks = await callbacksOf(deps, accountId);
      return c.json(toWebhook(callbacks, deps.secrets.open(callbacks.secret, callbacks.id)));
    }
    return c.json(toWebhook(await findWebhook(deps.db, accountId, pathId(c))));
  },
};
