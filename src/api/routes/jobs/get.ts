import { z } from '@hono/zod-openapi';
import { findOwnGeneration } from '../../../shared/domain/generations/find-generation.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { problemResponses } from '../schemas.ts';
import { jobIdParam, jobSchema, toJob } from './job.ts';

export const getJobOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/jobs/{id}',
    operationId: 'getJob',
    summary: 'Get job',
    description: 'How far a document has got.',
    tags: ['Jobs'],
    request: { params: z.object({ id: jobIdParam }) },
    responses: {
      200: { description: 'The job.', content: { 'application/json': { schema: jobSchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, { db }) {
    return c.json(toJob(await findOwnGeneration(db, c.get('accountId'), pathId(c))));
  },
};
