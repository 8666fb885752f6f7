import { z } from '@hono/zod-openapi';
import { findDelivery } from '../../../shared/domain/deliveries/find-delivery.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';
import { deliveryIdParam, deliverySchema, toDelivery } from './delivery.ts';

export const getDeliveryOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/deliveries/{id}',
    operationId: 'getDelivery',
    summary: 'Get e-mail delivery',
    description:
      'How far the e-mail of a document has got, for each recipient. `unknown` means that the connection was lost after the message was handed over: it may have arrived, and is not sent again by itself.',
    tags: ['Deliveries'],
    request: { params: z.object({ id: deliveryIdParam }) },
    responses: {
      200: { description: 'The delivery.', content: { 'application/json': { schema: deliverySchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, { db }) {
    return c.json(toDelivery(await findDelivery(db, c.get('accountId'), pathId(c))));
  },
};
