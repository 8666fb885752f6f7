import { z } from '@hono/zod-openapi';
import { once } from '../../../shared/domain/webhooks/once.ts';
import { startTest } from '../../../shared/domain/webhooks/start-delivery.ts';
import { newId } from '../../../shared/ids.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { awaitDelivery } from '../../webhooks/await-delivery.ts';
import { onceClaim } from '../../webhooks/once-claim.ts';
import { idempotencyHeader, problemResponses } from '../schemas.ts';
import { webhookIdParam } from './webhook.ts';
import { toWebhookDelivery, webhookDeliverySchema } from './webhook-delivery.ts';

const content = { 'application/json': { schema: webhookDeliverySchema } };

export const testWebhookOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Test webhook',
    description:
      'Sends a `webhook.test` event, once, whatever the webhook has subscribed to, and answers what came of it.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookIdParam }), headers: idempotencyHeader },
    responses: {
      200: { description: 'The delivery, ended.', content },
      202: { description: 'The delivery, still under way after 20 seconds.', content },
      ...problemResponses(400, 404, 409),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const webhookId = pathId(c);
    const claim = onceClaim(c, deps, 'POST /v1/webhooks/test', webhookId);
    const newDeliveryId = newId('whd');
    const id = await once(deps.db, accountId, newDeliveryId, claim, (tx) =>
      startTest(tx, accountId, webhookId, newDeliveryId),
    );
    await deps.queues.add('webhook', id, { accountId });
    const delivery = await awaitDelivery(deps, accountId, webhookId, id);
    return c.json(toWebhookDelivery(delivery), delivery.finishedAt === undefined ? 202 : 200);
  },
};
