import type { Context } from 'hono';
import type { DocumentReply } from '../../../shared/queue/document-reply.ts';
import { docxType, pdfType, xmlType } from '../../../shared/storage/media-types.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { streamDocument } from '../../documents/stream-document.ts';
import { enqueueDocument } from '../../documents/submit-document.ts';
import { withPermit } from '../../documents/with-permit.ts';
import type { ApiEnv, RequestFacts } from '../../http/api-env.ts';
import { noteRequest } from '../../http/request-facts.ts';
import type { Operation } from '../../operation.ts';
import { binary, header, optionalHeader, problemResponses } from '../common-schemas.ts';
import { acceptDocument, documentId, documentInput, respondWithJob, withDocumentId } from './accept-document.ts';

const file = binary('The document.');

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
    request: documentInput,
    responses: {
      200: {
        description: 'The file.',
        headers: {
          'Document-Id': documentId,
          'Content-Disposition': header('Name of the file (RFC 6266).'),
          'Server-Timing': header('Where the time went, in milliseconds: queue, render, convert, total.'),
          Warnings: optionalHeader('Number of warnings of the job, when it has any.', 'integer'),
          'Email-Delivery-Id': optionalHeader('Id of the delivery, when the document is also sent by e-mail.'),
        },
        content: { [docxType]: { schema: file }, [pdfType]: { schema: file }, [xmlType]: { schema: file } },
      },
      ...withDocumentId(problemResponses(400, 402, 404, 409, 415, 504)),
    },
  },
  handle: (c, deps) => withPermit(c, deps, () => generate(c, deps)),
};

async function generate(c: Context<ApiEnv>, deps: ApiDeps): Promise<Response> {
  const { stages } = deps;
  // `Prefer: respond-async` is not in the OpenAPI document, so that this operation has one response.
  const prefersAsync = /(^|[,;\s])respond-async($|[,;\s])/i.test(c.req.header('Prefer') ?? '');
  const document = await acceptDocument(c, deps, { isKept: prefersAsync });
  if (prefersAsync) {
    c.header('Preference-Applied', 'respond-async');
    return await respondWithJob(c, deps, document);
  }
  const begin = () => stages.time('enqueue', () => enqueueDocument(deps, document));
  const finished = await stages.time('wait', () => deps.results.awaitDocument(document, begin));
  noteRequest(c, factsOf(finished));
  return await stages.time('stream', () => streamDocument(c, deps, finished));
}

/** Workers of an earlier release omit these facts from their replies. */
function factsOf({ templateVersion, pages }: DocumentReply): RequestFacts {
  return { templateVersion, pages: pages ?? undefined };
}
