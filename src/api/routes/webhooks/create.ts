import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { createWebhook } from '../../../shared/domain/webhooks/create-webhook.ts';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhook.ts';
import { once } from '../../../shared/domain/webhooks/once.ts';
import { newSigningSecret } from '../../../shared/domain/webhooks/secret-box.ts';
import { newId } from '../../../shared/ids.ts';
import { parseRequest } from '../../http/invalid-request.ts';
import type { Operation } from '../../http/operation.ts';
import { readJson } from '../../http/read-json.ts';
import { onceClaim } from '../../webhooks/once-claim.ts';
import { parseTargetUrl } from '../../webhooks/target-url.ts';
import { header, idempotencyHeader, problemResponses } from '../schemas.ts';
import { toWebhook, webhookFields, webhookSchema } from './webhook.ts';

const body = z
  .strictObject({ ...webhookFields, description: webhookFields.description.optional() })
  .openapi('WebhookRequest');

export const createWebhookOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create webhook',
    description:
      'From now on the events are sent to the address, signed as Standard Webhooks has it. The secret is in this answer and in none after it. An account has at most 20 webhooks.',
    tags: ['Webhooks'],
    request: {
      headers: idempotencyHeader,
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      201: {
        description: 'The webhook, with its secret.',
        headers: { Location: header('Address of the webhook.') },
        content: { 'application/json': { schema: webhookSchema } },
      },
      ...problemResponses(400, 409),
    },
  },
  async handle(c, deps) {
    const { db, secrets, targets } = deps;
    const accountId = c.get('accountId');
    const { value, bytes } = await readJson(c);
    const { url, description, events } = parseRequest(body, value);
    const newWebhookId = newId('whk');
    const webhook = {
      ...{ id: newWebhookId, description, events },
      url: parseTargetUrl(targets, 'url', url),
      secret: secrets.seal(newSigningSecret(), newWebhookId),
    };
    const claim = onceClaim(c, deps, 'POST /v1/webhooks', createHash('sha256').update(bytes).digest('hex'));
    const id = await once(db, accountId, newWebhookId, claim, (tx) => createWebhook(tx, accountId, webhook));
    const made = await findWebhook(db, accountId, id);
    return c.json(toWebhook(made, secrets.open(made.secret, id)), 201, { Location: `/v1/webhooks/${id}` });
  },
};
