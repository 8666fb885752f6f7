import { z } from '@hono/zod-openapi';
import { readQuotas } from '../../../shared/domain/quota/read-quotas.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';

const amounts = z
  .object({
    docs: z.number().int().openapi({ description: 'Documents.', example: 1000 }),
    templates: z.number().int().openapi({ description: 'Templates.', example: 50 }),
  })
  .openapi('QuotaAmounts');
const balance = z.object({ subscriptions: amounts, credits: amounts, total: amounts }).openapi('QuotaBalance');
const quotasSchema = z.object({ allocated: balance, remaining: balance }).openapi('Quotas');

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
