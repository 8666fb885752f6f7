import { z } from '@hono/zod-openapi';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhooks.ts';
import { ensureCallbackWebhook } from '../../documents/callback-url.ts';
import { notModified, toWebhookTag } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, notModifiedResponse, problemResponses, readPreconditions } from '../common-schemas.ts';
import { toWebhookResource, webhookOrCallbacksParam, webhookSchema } from './webhook-resource.ts';

export const getWebhookOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'get',
    path: '/v1/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'Get webhook',
    description: 'For `callbacks` the response contains the secret that signs the events of every `callbackUrl`.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookOrCallbacksParam }), headers: readPreconditions },
    responses: {
      200: {
        description: 'The webhook.',
        headers: etagHeader,
        content: { 'application/json': { schema: webhookSchema } },
      },
      ...notModifiedResponse,
      ...problemResponses(404, 412),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const isCallbacks = c.req.param('id') === 'callbacks';
    const webhook = isCallbacks
      ? await ensureCallbackWebhook(deps, accountId)
      : await findWebhook(deps.db, accountId, pathId(c));
    const secret = isCallbacks ? deps.secrets.open(webhook.secret, webhook.id) : undefined;
    const etag = toWebhookTag(webhook);
    return notModified(c, etag) ?? c.json(toWebhookResource(webhook, secret), 200, { ETag: etag });
  },
};
