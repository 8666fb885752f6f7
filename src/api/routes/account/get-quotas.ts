import { readQuotas } from '../../../shared/domain/quota/read-quotas.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { quotasSchema } from './quotas-resource.ts';

export const getQuotasOperation: Operation = {
  scope: 'account:read',
  route: {
    method: 'get',
    path: '/v1/account/quotas',
    operationId: 'getQuotas',
    summary: 'Get quotas',
    description:
      'Allocated and remaining documents and templates of this month; `total` is the sum of `subscriptions` and `credits`.',
    tags: ['Account'],
    responses: {
      200: { description: 'Quotas.', content: { 'application/json': { schema: quotasSchema } } },
      ...problemResponses(),
    },
  },
  async handle(c, { db }) {
    return c.json(await readQuotas(db, c.get('accountId')));
  },
};
