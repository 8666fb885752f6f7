import { z } from '@hono/zod-openapi';
import { listBatches } from '../../../shared/domain/batches/find-batches.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import type { Operation } from '../../http/operation.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { problemResponses } from '../common-schemas.ts';
import { batchStatusSchema, batchSummarySchema, toBatchSummaryResource } from './batch-resource.ts';

const query = z.object({
  limit: z.coerce.number('must be a number').int('must be a whole number').min(1).max(1000).default(100),
  cursor: z.string().max(200).optional(),
  status: batchStatusSchema.optional(),
  templateId: z
    .string()
    .regex(/^tpl_[0-9a-z]{26}$/, 'must be the id of a template')
    .optional(),
});

export const listBatchesOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/batches',
    operationId: 'listBatches',
    summary: 'List batches',
    description: 'All batches of the account, newest first. The `Link` header points to the next page.',
    tags: ['Batches'],
    request: { query },
    responses: {
      200: { description: 'Batches.', content: { 'application/json': { schema: z.array(batchSummarySchema) } } },
      ...problemResponses(400),
    },
  },
  async handle(c, { db, config }) {
    const { cursor, ...filter } = parseQuery(query, c);
    const before = parseCursor(cursor, 'bat');
    const page = await listBatches(db, { accountId: c.get('accountId'), ...filter, before });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.batches.map(toBatchSummaryResource));
  },
};
