import { z } from '@hono/zod-openapi';
import { findWebhook } from '../../../shared/domain/webhooks/find-webhook.ts';
import { once } from '../../../shared/domain/webhooks/once.ts';
import { rotateSecret } from '../../../shared/domain/webhooks/rotate-secret.ts';
import { newSigningSecret } from '../../../shared/domain/webhooks/secret-box.ts';
import { newId } from '../../../shared/ids.ts';
import type { Operation } from '../../http/operation.ts';
import { webhookIdOf } from '../../webhooks/callbacks.ts';
import { onceClaim } from '../../webhooks/once-claim.ts';
import { idempotencyHeader, problemResponses } from '../schemas.ts';
import { toWebhook, webhookOrCallbacksParam, webhookSchema } from './webhook.ts';

export const rotateSecretOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/webhooks/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate webhook secret',
    description:
      'Makes a new secret. For 24 hours the one before signs too, each with a signature of its own in `webhook-signature`; then only the new one does. When it is rotated again in between, up to four earlier ones do.',
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
    const id = await webhookIdOf(c, deps);
    const claim = onceClaim(c, deps, 'POST /v1/webhooks/rotate-secret', id);
    await once(db, accountId, newId('req'), claim, (tx) =>
      rotateSecret(tx, accountId, id, secrets.seal(newSigningSecret(), id)),
    );
    const webhook = await findWebhook(db, accountId, id);
    return c.json(toWebhook(webhook, secrets.open(webhook.secret, id)));
  },
};
