import { z } from '@hono/zod-openapi';
import { findOwnDocument } from '../../../shared/domain/documents/find-documents.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { jobIdParam, jobSchema, toJobResource } from './job-resource.ts';

export const getJobOperation: Operation = {
  scope: 'documents:read',
  route: {
    method: 'get',
    path: '/v1/jobs/{id}',
    operationId: 'getJob',
    summary: 'Get job',
    description: 'Status of a document.',
    tags: ['Jobs'],
    request: { params: z.object({ id: jobIdParam }) },
    responses: {
      200: { description: 'The job.', content: { 'application/json': { schema: jobSchema } } },
      ...problemResponses(404),
    },
  },
  async handle(c, { db }) {
    return c.json(toJobResource(await findOwnDocument(db, c.get('accountId'), pathId(c))));
  },
};
