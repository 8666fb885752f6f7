import { z } from '@hono/zod-openapi';
import { answerBatch } from '../../batches/answer-batch.ts';
import { batchIdParam, batchSchema } from '../../batches/batch-schema.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';

export const getBatchOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/batches/{id}',
    operationId: 'getBatch',
    summary: 'Get batch',
    description: 'How far a batch has got. The counts are at most a second old.',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }) },
    responses: {
      200: { description: 'The batch.', content: { 'application/json': { schema: batchSchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, deps) {
    return c.json(await answerBatch(deps, c.get('accountId'), { id: pathId(c), isFresh: false }));
  },
};
