import { z } from '@hono/zod-openapi';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhooks.ts';
import { ensureCallbackWebhook } from '../../generation/callback-url.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/parse-request.ts';
import { problemResponses } from '../common-schemas.ts';
import { toWebhookResource, webhookOrCallbacksParam, webhookSchema } from './webhook-resource.ts';

export const getWebhookOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'Get webhook',
    description: 'For `callbacks` the response contains the secret that signs the events of every `callbackUrl`.',
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
      const callbacks = await ensureCallbackWebhook(deps, accountId);
      return c.json(toWebhookResource(callbacks, deps.secrets.open(callbacks.secret, callbacks.id)));
    }
    return c.json(toWebhookResource(await findWebhook(deps.db, accountId, pathId(c))));
  },
};
