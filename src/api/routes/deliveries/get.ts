import { z } from '@hono/zod-openapi';
import { findDelivery, findMessage } from '../../../shared/domain/deliveries/find-delivery.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { deliveryIdParam, deliverySchema, toDeliveryResource } from './delivery-resource.ts';

export const getDeliveryOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/deliveries/{id}',
    operationId: 'getDelivery',
    summary: 'Get e-mail delivery',
    description:
      'Status of the e-mail of a document, for each recipient. `unknown` means that the connection was lost after the message was transmitted: it may have arrived, and is not sent again automatically. `skipped` means that nothing is sent, because the document was requested with a test key.',
    tags: ['Deliveries'],
    request: { params: z.object({ id: deliveryIdParam }) },
    responses: {
      200: { description: 'The delivery.', content: { 'application/json': { schema: deliverySchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, { db }) {
    const accountId = c.get('accountId');
    const delivery = await findDelivery(db, accountId, pathId(c));
    const { lists, subject, body } = await findMessage(db, accountId, delivery);
    return c.json({
      ...toDeliveryResource(delivery),
      ...(lists !== undefined && { to: [...lists.to], cc: [...lists.cc], bcc: [...lists.bcc] }),
      ...(subject !== undefined && { subject }),
      ...(body !== undefined && { body }),
    });
  },
};
