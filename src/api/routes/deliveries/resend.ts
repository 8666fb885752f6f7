import { z } from '@hono/zod-openapi';
import { findDelivery } from '../../../shared/domain/deliveries/find-delivery.ts';
import { resendDelivery, resendDeliveryOnce } from '../../../shared/domain/deliveries/resend-delivery.ts';
import { newId } from '../../../shared/ids.ts';
import { emailLimitsOf } from '../../http/email-limits.ts';
import { pathId } from '../../http/parse-request.ts';
import { requireLiveKey } from '../../http/require-scope.ts';
import type { Operation } from '../../operation.ts';
import { idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { deliveryIdParam, deliverySchema, toDeliveryResource } from './delivery-resource.ts';

export const resendDeliveryOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/deliveries/{id}/resend',
    operationId: 'resendDelivery',
    summary: 'Resend e-mail delivery',
    description:
      'Sends an ended delivery again, with the same Message-ID, to the recipients whose delivery is not confirmed. Possible while the document is stored. Its recipients count for the limits of e-mail. Refused for a test key, and for a delivery that was `skipped`.',
    tags: ['Deliveries'],
    request: { params: z.object({ id: deliveryIdParam }), headers: idempotencyHeader },
    responses: {
      202: {
        description: 'The delivery, pending again.',
        content: { 'application/json': { schema: deliverySchema } },
      },
      ...problemResponses(400, 404, 409),
    },
  },
  async handle(c, { db, queues, logger, config }) {
    requireLiveKey(c, 'Test keys send no e-mail.');
    const accountId = c.get('accountId');
    const id = pathId(c);
    const key = c.get('idempotencyKey');
    const claim = { operation: 'POST /v1/deliveries/resend', ttlSeconds: config.RESULT_TTL_SECONDS };
    if (key === undefined) await resendDelivery(db, accountId, id, emailLimitsOf(config));
    else await resendDeliveryOnce(db, accountId, id, { ...claim, key }, emailLimitsOf(config));
    await queues.add('mail', newId('req'), { deliveryId: id }).catch((error: unknown) => {
      logger.warn({ err: error, deliveryId: id }, 'an e-mail delivery is left to the sweep');
    });
    return c.json(toDeliveryResource(await findDelivery(db, accountId, id)), 202);
  },
};
