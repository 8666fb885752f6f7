import { z } from '@hono/zod-openapi';
import { cancelDocument } from '../../../shared/domain/documents/fail-document.ts';
import { findOwnDocument } from '../../../shared/domain/documents/find-documents.ts';
import { AppError } from '../../../shared/errors.ts';
import { rejectTagged } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { jobIdParam } from './job-resource.ts';

export const cancelJobOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'delete',
    path: '/v1/jobs/{id}',
    operationId: 'cancelJob',
    summary: 'Cancel job',
    description: 'Cancels and refunds a job that has not ended. A job that has ended is not changed (409).',
    tags: ['Jobs'],
    request: { params: z.object({ id: jobIdParam }) },
    responses: { 204: { description: 'Cancelled.' }, ...problemResponses(400, 404, 409, 412) },
  },
  async handle(c, { db, transient }) {
    const accountId = c.get('accountId');
    const id = pathId(c);
    await findOwnDocument(db, accountId, id);
    rejectTagged(c, 'job');
    if (!(await cancelDocument(db, accountId, id))) {
      const { status } = await findOwnDocument(db, accountId, id);
      if (status !== 'cancelled') throw new AppError('conflict', `The job ${endings[status]} and cannot be cancelled`);
    }
    await transient
      .of(accountId)
      .remove('data', id)
      .catch(() => undefined);
    return c.body(null, 204);
  },
};

const endings = {
  queued: 'was requeued',
  running: 'is running',
  succeeded: 'has succeeded',
  failed: 'has failed',
} as const;
