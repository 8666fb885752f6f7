import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { findOwnDocument } from '../../../shared/domain/documents/find-documents.ts';
import type { DocumentReply } from '../../../shared/queue/document-reply.ts';
import { docxType, pdfType } from '../../../shared/storage/media-types.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { generateRequest } from '../../documents/generate-request.ts';
import { streamDocument } from '../../documents/stream-document.ts';
import { type AcceptedDocument, enqueueDocument, submitDocument } from '../../documents/submit-document.ts';
import { withPermit } from '../../documents/with-permit.ts';
import type { ApiEnv, RequestFacts } from '../../http/api-env.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { parseRequest, pathId } from '../../http/parse-request.ts';
import { readJson } from '../../http/read-json.ts';
import { noteRequest } from '../../http/request-facts.ts';
import type { Operation } from '../../operation.ts';
import {
  binary,
  header,
  idempotencyHeader,
  optionalHeader,
  problemResponses,
  templateIdParam,
  versionQuery,
} from '../common-schemas.ts';
import { jobSchema, toJobResource } from '../jobs/job-resource.ts';

const query = z.object({
  version: versionQuery,
});
const headers = idempotencyHeader.extend({
  Prefer: z.string().optional().openapi({
    description: '`respond-async` (RFC 7240) returns 202 at once; fetch the file later from the job.',
    example: 'respond-async',
  }),
});
const documentId = header('Id of the document, whose job is `/v1/jobs/{id}`. Errors after acceptance have it too.');
const file = binary('The document.');

/** Errors after acceptance name their document. */
function withDocumentId(responses: ReturnType<typeof problemResponses>): typeof responses {
  const optional = { 'Document-Id': { ...documentId, required: false } };
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const headers = 'headers' in response ? response.headers : {};
      return [status, { ...response, headers: { ...headers, ...optional } }];
    }),
  );
}

export const generateDocumentOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/templates/{id}/generate',
    operationId: 'generateDocument',
    summary: 'Generate document',
    description:
      'Fills the template with `data` and returns the file. Success charges one document to the quota; a failure charges nothing. With `output.email` the file is returned and also sent by e-mail; the delivery has its own retries, and its id is in `Email-Delivery-Id`.',
    tags: ['Documents'],
    request: {
      params: z.object({ id: templateIdParam }),
      query,
      headers,
      body: { required: true, content: { 'application/json': { schema: generateRequest } } },
    },
    responses: {
      202: {
        description: 'Accepted, for `Prefer: respond-async`.',
        headers: {
          Location: header('Address of the job.'),
          'Document-Id': documentId,
          'Preference-Applied': header('Always `respond-async`.'),
        },
        content: { 'application/json': { schema: jobSchema } },
      },
      200: {
        description: 'The file.',
        headers: {
          'Document-Id': documentId,
          'Content-Disposition': header('Name of the file (RFC 6266).'),
          'Server-Timing': header('Where the time went, in milliseconds: queue, render, convert, total.'),
          Warnings: optionalHeader('Number of warnings of the job, when it has any.', 'integer'),
          'Email-Delivery-Id': optionalHeader('Id of the delivery, when the document is also sent by e-mail.'),
        },
        content: { [docxType]: { schema: file }, [pdfType]: { schema: file } },
      },
      ...withDocumentId(problemResponses(400, 402, 404, 409, 415, 504)),
    },
  },
  handle: (c, deps) => withPermit(c, deps, () => generate(c, deps)),
};

async function generate(c: Context<ApiEnv>, deps: ApiDeps): Promise<Response> {
  const { stages } = deps;
  const prefersAsync = /(^|[,;\s])respond-async($|[,;\s])/i.test(c.req.header('Prefer') ?? '');
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
    isKept: prefersAsync,
  };
  const document = await stages.time('reserve', () => submitDocument(deps, submission));
  // Set before anything can fail, so that errors of this document have the header too.
  c.header('Document-Id', document.id);
  noteRequest(c, { documentId: document.id, templateVersion: document.templateVersion ?? undefined });
  if (prefersAsync) return await respondAsync(c, deps, document);
  const begin = () => stages.time('enqueue', () => enqueueDocument(deps, document));
  const finished = await stages.time('wait', () => deps.results.awaitDocument(document, begin));
  noteRequest(c, factsOf(finished));
  return await stages.time('stream', () => streamDocument(c, deps, finished));
}

/** Workers of an earlier release omit these facts from their replies. */
function factsOf({ templateVersion, pages }: DocumentReply): RequestFacts {
  return { templateVersion, pages: pages ?? undefined };
}

/** Enqueues an accepted document and responds with its job, 202 (RFC 7240, `respond-async`). */
async function respondAsync(c: Context<ApiEnv>, deps: ApiDeps, document: AcceptedDocument): Promise<Response> {
  await enqueueDocument(deps, document);
  const job = toJobResource(await findOwnDocument(deps.db, c.get('accountId'), document.id));
  return c.json(job, 202, { Location: `/v1/jobs/${job.id}`, 'Preference-Applied': 'respond-async' });
}
