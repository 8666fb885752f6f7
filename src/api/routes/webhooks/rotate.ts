import { z } from '@hono/zod-openapi';
import { once } from '../../../shared/domain/idempotency-keys.ts';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhooks.ts';
import { rotateSecret } from '../../../shared/domain/webhooks/manage-webhooks.ts';
import { newSigningSecret } from '../../../shared/domain/webhooks/secret-box.ts';
import { newId } from '../../../shared/ids.ts';
import type { Operation } from '../../http/operation.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import { idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { resolveWebhookId, toWebhookResource, webhookOrCallbacksParam, webhookSchema } from './webhook-resource.ts';

export const rotateSecretOperation: Operation = {
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
    await once(db, accountId, newId('req'), claim, (tx) =>
      rotateSecret(tx, accountId, id, secrets.seal(newSigningSecret(), id)),
    );
    const webhook = await findWebhook(db, accountId, id);
    return c.json(toWebhookResource(webhook, secrets.open(webhook.secret, id)));
  },
};
