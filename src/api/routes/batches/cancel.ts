import { z } from '@hono/zod-openapi';
import { cancelBatch } from '../../../shared/domain/batches/cancel-batch.ts';
import { answerBatch } from '../../batches/answer-batch.ts';
import { batchIdParam, batchSchema } from '../../batches/batch-schema.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';

export const cancelBatchOperation: Operation = {
  route: {
    method: 'delete',
    path: '/v1/batches/{id}',
    operationId: 'cancelBatch',
    summary: 'Cancel batch',
    description:
      'Rows that wait are cancelled and given back; rows under way are finished and stay. A batch that has ended stays as it is (409).',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }) },
    responses: {
      200: { description: 'The batch.', content: { 'application/json': { schema: batchSchema } } },
      ...problemResponses(404, 409),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const id = pathId(c);
    await cancelBatch(deps.db, accountId, { id, ttlSeconds: deps.config.RESULT_TTL_SECONDS });
    return c.json(await answerBatch(deps, accountId, { id, isFresh: true }));
  },
};
