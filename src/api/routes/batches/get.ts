import { z } from '@hono/zod-openapi';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { batchIdParam, batchSchema, readBatchResource } from './batch-resource.ts';

export const getBatchOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/batches/{id}',
    operationId: 'getBatch',
    summary: 'Get batch',
    description: 'Progress of a batch. The counts are at most a second old.',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }) },
    responses: {
      200: { description: 'The batch.', content: { 'application/json': { schema: batchSchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, deps) {
    return c.json(await readBatchResource(deps, c.get('accountId'), { id: pathId(c), isFresh: false }));
  },
};
