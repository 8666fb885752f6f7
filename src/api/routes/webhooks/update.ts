import { z } from '@hono/zod-openapi';
import { updateWebhook } from '../../../shared/domain/webhooks/manage-webhooks.ts';
import { parseTargetUrl } from '../../documents/callback-url.ts';
import { toWebhookTag, webhookPrecondition } from '../../http/conditional-request.ts';
import { optionalField } from '../../http/optional-field.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { readJson } from '../../http/read-json.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, ifMatchHeader, problemResponses } from '../common-schemas.ts';
import { toWebhookResource, webhookFields, webhookIdParam, webhookSchema } from './webhook-resource.ts';

const body = z
  .strictObject({
    url: optionalField(webhookFields.url),
    events: optionalField(webhookFields.events),
    description: optionalField(webhookFields.description),
    status: optionalField(z.enum(['enabled', 'disabled'], 'must be enabled or disabled')).openapi({
      description: 'A disabled webhook gets no events.',
    }),
  })
  .openapi('WebhookChanges');

export const updateWebhookOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'patch',
    path: '/v1/webhooks/{id}',
    operationId: 'updateWebhook',
    summary: 'Update webhook',
    description:
      'Changes the given fields. A disabled webhook gets no events; deliveries that come due meanwhile fail and can be redelivered.',
    tags: ['Webhooks'],
    request: {
      params: z.object({ id: webhookIdParam }),
      headers: ifMatchHeader,
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      200: {
        description: 'The webhook.',
        headers: etagHeader,
        content: { 'application/json': { schema: webhookSchema } },
      },
      ...problemResponses(400, 404, 412, 415),
    },
  },
  async handle(c, { db, targets, json }) {
    const { value } = await readJson(c, json);
    const changes = parseRequest(body, value);
    const url = changes.url === undefined ? undefined : parseTargetUrl(targets, 'url', changes.url);
    const precondition = webhookPrecondition(c);
    const webhook = await updateWebhook(db, c.get('accountId'), pathId(c), { ...changes, url }, precondition);
    return c.json(toWebhookResource(webhook), 200, { ETag: toWebhookTag(webhook) });
  },
};
