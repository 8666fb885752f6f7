import { z } from '@hono/zod-openapi';
import { cancelGeneration } from '../../../shared/domain/generations/fail-generation.ts';
import { findOwnGeneration } from '../../../shared/domain/generations/find-generation.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';
import { jobIdParam } from './job.ts';

export const cancelJobOperation: Operation = {
  route: {
    method: 'delete',
    path: '/v1/jobs/{id}',
    operationId: 'cancelJob',
    summary: 'Cancel job',
    description: 'A job that has not ended is cancelled and given back; one that has ended stays as it is (409).',
    tags: ['Jobs'],
    request: { params: z.object({ id: jobIdParam }) },
    responses: { 204: { description: 'Cancelled.' }, ...problemResponses(404, 409) },
  },
  async handle(c, { db, transient }) {
    const accountId = c.get('accountId');
    const id = pathId(c);
    if (!(await cancelGeneration(db, accountId, id))) {
      const { status } = await findOwnGeneration(db, accountId, id);
      if (status !== 'cancelled') throw new AppError('conflict', `The job has ended already: it ${endings[status]}`);
    }
    await transient.remove('data', id).catch(() => undefined);
    return c.body(null, 204);
  },
};

const endings = { queued: 'goes on', running: 'goes on', succeeded: 'has succeeded', failed: 'has failed' } as const;
