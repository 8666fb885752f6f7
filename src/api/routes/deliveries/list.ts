import { z } from '@hono/zod-openapi';
import { listDeliveries } from '../../../shared/domain/deliveries/list-deliveries.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { checkTimeRange, timeRange } from '../../http/time-range.ts';
import type { Operation } from '../../operation.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses, searchParam } from '../common-schemas.ts';
import { deliverySchema, deliveryStatusSchema, storedStatuses, toDeliveryResource } from './delivery-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  status: deliveryStatusSchema.optional().openapi({ param: { description: 'Only deliveries with this status.' } }),
  ...timeRange,
  search: searchParam('Only deliveries whose id, document or recipient contains this text, in any case.'),
});

export const listDeliveriesOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/deliveries',
    operationId: 'listDeliveries',
    summary: 'List e-mail deliveries',
    description:
      'E-mail deliveries of the account, newest first. The `Link` header points to the next page. With a status or a search, a page can have fewer deliveries than the limit, or none, although more follow: only a page without `Link` is the last.',
    tags: ['Deliveries'],
    request: { query },
    responses: {
      200: {
        description: 'Deliveries.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(deliverySchema).openapi('DeliveryList') } },
      },
      ...problemResponses(400),
    },
  },
  async handle(c, { db, config }) {
    const { cursor, status, ...filter } = parseQuery(query, c);
    checkTimeRange(filter);
    const page = await listDeliveries(db, {
      accountId: c.get('accountId'),
      statuses: status === undefined ? undefined : storedStatuses(status),
      ...filter,
      before: parseCursor(cursor, 'dlv'),
    });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.deliveries.map(toDeliveryResource));
  },
};
