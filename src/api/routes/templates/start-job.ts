import { withPermit } from '../../documents/with-permit.ts';
import type { Operation } from '../../operation.ts';
import { header, problemResponses } from '../common-schemas.ts';
import { jobSchema } from '../jobs/job-resource.ts';
import { acceptDocument, documentId, documentInput, respondWithJob, withDocumentId } from './accept-document.ts';

export const startJobOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/templates/{id}/jobs',
    operationId: 'startJob',
    summary: 'Start job',
    description:
      'Takes the same request as generating a document, and returns its job at once. Fetch the file from the job when it has succeeded. Success charges one document to the quota; a failure charges nothing.',
    tags: ['Documents'],
    request: documentInput,
    responses: {
      202: {
        description: 'Accepted.',
        headers: { Location: header('Address of the job.'), 'Document-Id': documentId },
        content: { 'application/json': { schema: jobSchema } },
      },
      ...withDocumentId(problemResponses(400, 402, 404, 409, 415)),
    },
  },
  handle: (c, deps) =>
    withPermit(c, deps, async () => respondWithJob(c, deps, await acceptDocument(c, deps, { isKept: true }))),
};
