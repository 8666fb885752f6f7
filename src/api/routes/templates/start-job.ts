import type { Context } from 'hono';
import { findOwnDocument } from '../../../shared/domain/documents/find-documents.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { type AcceptedDocument, enqueueDocument } from '../../documents/submit-document.ts';
import { withPermit } from '../../documents/with-permit.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import type { Operation } from '../../operation.ts';
import { header, problemResponses } from '../common-schemas.ts';
import { jobSchema, toJobResource } from '../jobs/job-resource.ts';
import { acceptDocument, documentId, documentInput, withDocumentId } from './accept-document.ts';

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

/** Enqueues an accepted document and responds with its job. */
export async function respondWithJob(c: Context<ApiEnv>, deps: ApiDeps, document: AcceptedDocument): Promise<Response> {
  await enqueueDocument(deps, document);
  const job = toJobResource(await findOwnDocument(deps.db, c.get('accountId'), document.id));
  return c.json(job, 202, { Location: `/v1/jobs/${job.id}` });
}
