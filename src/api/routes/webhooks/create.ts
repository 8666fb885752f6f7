import { hash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { onceWithResult } from '../../../shared/domain/idempotency-keys.ts';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhooks.ts';
import { createWebhook } from '../../../shared/domain/webhooks/manage-webhooks.ts';
import { newSigningSecret } from '../../../shared/domain/webhooks/secret-box.ts';
import { newId } from '../../../shared/ids.ts';
import { parseTargetUrl } from '../../documents/callback-url.ts';
import { optionalField } from '../../http/optional-field.ts';
import { parseRequest } from '../../http/parse-request.ts';
import { readJson } from '../../http/read-json.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, header, idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { fromStoredResponse, toStoredResponse, webhookFields, webhookSchema } from './webhook-resource.ts';

const body = z
  .strictObject({ ...webhookFields, description: optionalField(webhookFields.description) })
  .openapi('WebhookRequest');

export const createWebhookOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create webhook',
    description:
      'Sends future events to the address, signed according to Standard Webhooks. The secret is shown only in this response. An account has at most 20 webhooks.',
    tags: ['Webhooks'],
    request: {
      headers: idempotencyHeader,
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      201: {
        description: 'The webhook, with its secret.',
        headers: { Location: header('Address of the webhook.'), ...etagHeader },
        content: { 'application/json': { schema: webhookSchema } },
      },
      ...problemResponses(400, 409, 415),
    },
  },
  async handle(c, deps) {
    const { db, secrets, targets } = deps;
    const accountId = c.get('accountId');
    const { value, bytes } = await readJson(c, deps.json);
    const { url, description, events } = parseRequest(body, value);
    const newWebhookId = newId('whk');
    const webhook = {
      id: newWebhookId,
      description,
      events,
      url: parseTargetUrl(targets, 'url', url),
      secret: secrets.seal(newSigningSecret(), newWebhookId),
    };
    const claim = idempotencyClaim(c, deps, 'POST /v1/webhooks', hash('sha256', bytes, 'hex'));
    const { result } = await onceWithResult(db, accountId, claim, async (tx) => {
      await createWebhook(tx, accountId, webhook);
      return toStoredResponse(await findWebhook(tx, accountId, newWebhookId));
    });
    const created = fromStoredResponse(result, deps);
    return c.json(created, 201, { Location: `/v1/webhooks/${created.id}`, ETag: result.etag });
  },
};
