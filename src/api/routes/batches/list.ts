import { z } from '@hono/zod-openapi';
import { listBatches } from '../../../shared/domain/batches/find-batches.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import type { Operation } from '../../operation.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses, templateIdQuery } from '../common-schemas.ts';
import { batchStatusSchema, batchSummarySchema, toBatchSummaryResource } from './batch-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  status: batchStatusSchema.optional().openapi({ param: { description: 'Only batches with this status.' } }),
  templateId: templateIdQuery,
});

export const listBatchesOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/batches',
    operationId: 'listBatches',
    summary: 'List batches',
    description: 'All batches of the account, newest first. The `Link` header points to the next page.',
    tags: ['Batches'],
    request: { query },
    responses: {
      200: {
        description: 'Batches.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(batchSummarySchema).openapi('BatchList') } },
      },
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
