import { z } from '@hono/zod-openapi';
import { onceWithResult } from '../../../shared/domain/idempotency-keys.ts';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhooks.ts';
import { rotateSecret } from '../../../shared/domain/webhooks/manage-webhooks.ts';
import { newSigningSecret } from '../../../shared/domain/webhooks/secret-box.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, idempotencyHeader, problemResponses } from '../common-schemas.ts';
import {
  fromStoredResponse,
  resolveWebhookId,
  toStoredResponse,
  webhookOrCallbacksParam,
  webhookSchema,
} from './webhook-resource.ts';

export const rotateSecretOperation: Operation = {
  scope: 'webhooks',
  route: {
    method: 'post',
    path: '/v1/webhooks/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate webhook secret',
    description:
      'Creates a new secret. For 24 hours the previous one signs too: `webhook-signature` contains one signature for each. If the secret is rotated again within that time, up to four previous ones sign.',
    tags: ['Webhooks'],
    request: { params: z.object({ id: webhookOrCallbacksParam }), headers: idempotencyHeader },
    responses: {
      200: {
        description: 'The webhook, with its new secret.',
        headers: etagHeader,
        content: { 'application/json': { schema: webhookSchema } },
      },
      ...problemResponses(400, 404, 409),
    },
  },
  async handle(c, deps) {
    const { db, secrets } = deps;
    const accountId = c.get('accountId');
    const id = await resolveWebhookId(c, deps);
    const claim = idempotencyClaim(c, deps, 'POST /v1/webhooks/rotate-secret', id);
    const { result } = await onceWithResult(db, accountId, claim, async (tx) => {
      await rotateSecret(tx, accountId, id, secrets.seal(newSigningSecret(), id));
      return toStoredResponse(await findWebhook(tx, accountId, id));
    });
    return c.json(fromStoredResponse(result, deps), 200, { ETag: result.etag });
  },
};
