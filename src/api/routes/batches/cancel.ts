import { z } from '@hono/zod-openapi';
import { cancelBatch } from '../../../shared/domain/batches/cancel-batch.ts';
import { findBatch } from '../../../shared/domain/batches/find-batches.ts';
import { rejectTagged } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { batchIdParam, batchSchema, readBatchResource } from './batch-resource.ts';

export const cancelBatchOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'delete',
    path: '/v1/batches/{id}',
    operationId: 'cancelBatch',
    summary: 'Cancel batch',
    description:
      'Cancels and releases the queued rows; running rows finish and are kept. A batch that has ended is not changed (409).',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }) },
    responses: {
      200: { description: 'The batch.', content: { 'application/json': { schema: batchSchema } } },
      ...problemResponses(400, 404, 409, 412),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const id = pathId(c);
    await findBatch(deps.db, accountId, id);
    rejectTagged(c, 'batch');
    await cancelBatch(deps.db, accountId, { id, ttlSeconds: deps.config.RESULT_TTL_SECONDS });
    return c.json(await readBatchResource(deps, accountId, { id, isFresh: true }));
  },
};
