import { z } from '@hono/zod-openapi';
import { docxType, pdfType } from '../../../shared/storage/content-types.ts';
import { acceptDocument, enqueueDocument } from '../../generation/accept-document.ts';
import { answerLater } from '../../generation/answer-later.ts';
import { generateRequest } from '../../generation/generate-request.ts';
import { streamDocument } from '../../generation/stream-document.ts';
import { parseRequest } from '../../http/invalid-request.ts';
import { onResponseFinished } from '../../http/on-response-finished.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { readJson } from '../../http/read-json.ts';
import { jobSchema } from '../jobs/job.ts';
import { header, idempotencyHeader, problemResponses, templateIdParam, versionParam } from '../schemas.ts';

const query = z.object({
  version: versionParam.optional().openapi({ description: 'Version of the template; the current one when not given.' }),
});
const headers = idempotencyHeader.extend({
  Prefer: z.string().optional().openapi({
    description: '`respond-async` (RFC 7240) answers 202 at once; the file is fetched later from the job.',
    example: 'respond-async',
  }),
});
const file = z.string().openapi({ type: 'string', format: 'binary' });

export const generateDocumentOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/templates/{id}/generate',
    operationId: 'generateDocument',
    summary: 'Generate document',
    description:
      'Fills the template with `data` and answers the file. One document of the quota is used when the file exists; nothing is used when it fails. With `output.email` the file is answered and also sent; the delivery has its own retries and its id is in `Email-Delivery-Id`.',
    tags: ['Documents'],
    request: {
      params: z.object({ id: templateIdParam }),
      query,
      headers,
      body: { required: true, content: { 'application/json': { schema: generateRequest } } },
    },
    responses: {
      202: {
        description: 'Accepted, as `Prefer: respond-async` asked.',
        headers: {
          Location: header('Address of the job.'),
          'Preference-Applied': header('`respond-async`.'),
        },
        content: { 'application/json': { schema: jobSchema } },
      },
      200: {
        description: 'The file.',
        headers: {
          'Content-Disposition': header('Name of the file (RFC 6266).'),
          'Server-Timing': header('Where the time went, in milliseconds: queue, render, convert, total.'),
          Warnings: { ...header('How many warnings the job has, when it has any.', 'integer'), required: false },
          'Email-Delivery-Id': { ...header('Id of the delivery, when it is also sent by e-mail.'), required: false },
        },
        content: { [docxType]: { schema: file }, [pdfType]: { schema: file } },
      },
      ...problemResponses(400, 402, 404, 409, 504),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const prefersAsync = /(^|[,;\s])respond-async($|[,;\s])/i.test(c.req.header('Prefer') ?? '');
    const place = deps.results.enter(accountId);
    try {
      const { stages } = deps;
      const body = await stages.time('read', () => readJson(c));
      const request = parseRequest(generateRequest, body.value);
      await deps.backlog.enter(request.output?.format ?? 'docx', prefersAsync ? 'later' : 'waiting');
      const order = {
        accountId,
        keyId: c.get('keyId'),
        templateId: pathId(c),
        version: parseRequest(query, c.req.query()).version,
        idempotencyKey: c.get('idempotencyKey'),
        request,
        body,
        isKept: prefersAsync,
      };
      const document = await stages.time('reserve', () => acceptDocument(deps, order));
      if (prefersAsync) return await answerLater(c, deps, document);
      const begin = () => stages.time('enqueue', () => enqueueDocument(deps, document));
      const finished = await stages.time('wait', () => deps.results.document(document, begin));
      return await stages.time('stream', () => streamDocument(c, deps, finished));
    } finally {
      // A file that its client does not read takes memory until then.
      onResponseFinished(c.env, () => place.leave());
    }
  },
};
