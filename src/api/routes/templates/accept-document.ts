import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { findOwnDocument } from '../../../shared/domain/documents/find-documents.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { generateRequest } from '../../documents/generate-request.ts';
import { type AcceptedDocument, enqueueDocument, submitDocument } from '../../documents/submit-document.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { readJson } from '../../http/read-json.ts';
import { noteRequest } from '../../http/request-facts.ts';
import { header, idempotencyHeader, type problemResponses, templateIdParam, versionQuery } from '../common-schemas.ts';
import { toJobResource } from '../jobs/job-resource.ts';

const query = z.object({ version: versionQuery });

/** The request for one document, whether the client waits for the file or starts a job. */
export const documentInput = {
  params: z.object({ id: templateIdParam }),
  query,
  headers: idempotencyHeader,
  body: { required: true, content: { 'application/json': { schema: generateRequest } } },
};

export const documentId = header(
  'Id of the document, whose job is `/v1/jobs/{id}`. Errors after acceptance have it too.',
);

/** Errors after acceptance name their document. */
export function withDocumentId(responses: ReturnType<typeof problemResponses>): typeof responses {
  const optional = { 'Document-Id': { ...documentId, required: false } };
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const headers = 'headers' in response ? response.headers : {};
      return [status, { ...response, headers: { ...headers, ...optional } }];
    }),
  );
}

/**
 * Accepts the document of a request. Both operations bind an idempotency key to the same document, so that a client
 * whose wait timed out can start the job with the same key.
 */
export async function acceptDocument(
  c: Context<ApiEnv>,
  deps: ApiDeps,
  { isKept }: { readonly isKept: boolean },
): Promise<AcceptedDocument> {
  const { stages } = deps;
  const body = await stages.time('read', () => readJson(c, deps.json));
  const submission = {
    accountId: c.get('accountId'),
    keyId: c.get('keyId'),
    isTest: c.get('isTest'),
    templateId: pathId(c),
    version: parseQuery(query, c).version,
    idempotencyKey: c.get('idempotencyKey'),
    request: parseRequest(generateRequest, body.value),
    body,
    isKept,
  };
  const document = await stages.time('reserve', () => submitDocument(deps, submission));
  // Set before anything can fail, so that errors of this document have the header too.
  c.header('Document-Id', document.id);
  noteRequest(c, { documentId: document.id, templateVersion: document.templateVersion ?? undefined });
  return document;
}

/** Enqueues an accepted document and responds with its job. */
export async function respondWithJob(c: Context<ApiEnv>, deps: ApiDeps, document: AcceptedDocument): Promise<Response> {
  await enqueueDocument(deps, document);
  const job = toJobResource(await findOwnDocument(deps.db, c.get('accountId'), document.id));
  return c.json(job, 202, { Location: `/v1/jobs/${job.id}` });
}
