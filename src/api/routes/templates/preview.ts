import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { AppError } from '../../../shared/errors.ts';
import { pdfType } from '../../../shared/storage/media-types.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { contentDisposition, toSafeFilename } from '../../documents/output-filename.ts';
import { type FilePreviewRequest, filePreviewRequest, previewRequest } from '../../documents/preview-request.ts';
import {
  findPreviewed,
  type Preview,
  type PreviewTemplate,
  previewOfFile,
  requestPreview,
} from '../../documents/request-preview.ts';
import { withPermit } from '../../documents/with-permit.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { openBody } from '../../http/decode-body.ts';
import { invalidField, parseRequest } from '../../http/parse-request.ts';
import { maxJsonBytes, readJson } from '../../http/read-json.ts';
import { maxTemplateBytes, readUpload, requireFile } from '../../http/read-upload.ts';
import { noteRequest } from '../../http/request-facts.ts';
import { applyLimit } from '../../middleware/rate-limit.ts';
import type { Operation } from '../../operation.ts';
import { binary, header, idempotencyHeader, optionalHeader, problemResponses } from '../common-schemas.ts';
import { syntaxFields, toSyntax } from './template-syntax-resource.ts';

const pngType = 'image/png';
const formLimits = { fileBytes: maxTemplateBytes, json: { request: maxJsonBytes } } as const;
const form = z
  .object({
    file: binary('The Word template, at most 10 MB.'),
    ...syntaxFields,
    request: z.string().openapi({
      description:
        'JSON object with `data`, `output` and `preview` as in a preview of a stored template; a field or a file, at most 10 MB.',
    }),
  })
  .openapi('PreviewForm');
const { 504: late, ...problems } = problemResponses(400, 404, 415, 504);

export const previewTemplateOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/templates/preview',
    operationId: 'previewTemplate',
    summary: 'Preview template',
    description:
      'Fills a template, the file of a form or a stored one, and returns its first pages as PDF, or one of its pages as PNG, with the word PREVIEW across each. Made as generate makes documents, but charges nothing and stores nothing: there is no job, no receipt and no webhook. Limited for each account.',
    tags: ['Documents'],
    request: {
      headers: idempotencyHeader.omit({ 'Idempotency-Key': true }),
      body: {
        required: true,
        content: { 'application/json': { schema: previewRequest }, 'multipart/form-data': { schema: form } },
      },
    },
    responses: {
      200: {
        description: 'The pages.',
        headers: {
          'Page-Count': header('Number of pages of the whole document.', 'integer'),
          'Content-Disposition': header('Name of the file (RFC 6266).'),
          'Server-Timing': header('Where the time went, in milliseconds: queue, render, convert, total.'),
          Warnings: optionalHeader('Number of warnings, when there are any.', 'integer'),
          'Warning-Codes': optionalHeader('Their codes, each once, separated by commas.'),
        },
        content: { [pdfType]: { schema: binary('The first pages.') }, [pngType]: { schema: binary('The page.') } },
      },
      ...problems,
      ...(late !== undefined && { 504: { ...late, description: 'The wait limit has passed. Nothing was stored.' } }),
    },
  },
  async handle(c, deps) {
    await applyLimit(c, deps.previewLimiter, 'preview');
    return await withPermit(c, deps, async () => {
      const preview = await requestPreview(c, deps, await readPreview(c, deps));
      noteRequest(c, { pages: preview.pages });
      return respond(c, preview);
    });
  },
};

interface ReadPreview {
  readonly template: PreviewTemplate;
  readonly request: FilePreviewRequest;
  readonly data: Buffer;
}

async function readPreview(c: Context<ApiEnv>, deps: ApiDeps): Promise<ReadPreview> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return await readForm(c, deps);
  if (type !== 'application/json') {
    const message = 'The Content-Type of this request must be application/json, or multipart/form-data with a file';
    throw new AppError('invalid_request', message);
  }
  const body = await deps.stages.time('read', () => readJson(c, deps.json));
  const { templateId, version, ...request } = parseRequest(previewRequest, body.value);
  const template = await findPreviewed(deps, c.get('accountId'), { templateId, version, which: 'newest' });
  noteRequest(c, { templateId });
  return { template, request, data: body.data ?? Buffer.from('{}') };
}

async function readForm(c: Context<ApiEnv>, deps: ApiDeps): Promise<ReadPreview> {
  const source = { type: c.req.header('Content-Type'), body: openBody(c) };
  const received = await deps.stages.time('read', () => readUpload(source, c.get('bodyLease'), formLimits));
  const file = requireFile(received.file);
  if (received.request === undefined) throw invalidField('request', 'is missing');
  const parsed = await deps.json.parse(c.get('accountId'), received.request);
  if ('problem' in parsed) throw invalidField('request', parsed.problem);
  const request = parseRequest(filePreviewRequest, parsed.value);
  const syntax = parseRequest(z.object(syntaxFields), {
    delimiters: received.delimiters,
    unlikelyTags: received.unlikelyTags,
  });
  return { template: previewOfFile(file, toSyntax(syntax)), request, data: parsed.data ?? Buffer.from('{}') };
}

function respond(
  c: Context<ApiEnv>,
  { bytes, pages, filename, warningCount, warningCodes, timings }: Preview,
): Response {
  const isPng = bytes.subarray(1, 4).toString('latin1') === 'PNG';
  const { queueMs, renderMs, convertMs, totalMs } = timings;
  const name = isPng ? toSafeFilename(filename.replace(/\.pdf$/, ''), 'png') : filename;
  const headers: Record<string, string> = {
    'Content-Type': isPng ? pngType : pdfType,
    'Content-Length': String(bytes.length),
    'Content-Disposition': contentDisposition(name),
    'Page-Count': String(pages),
    'Server-Timing': `queue;dur=${queueMs}, render;dur=${renderMs}, convert;dur=${convertMs}, total;dur=${totalMs}`,
  };
  if (warningCount > 0) {
    headers.Warnings = String(warningCount);
    headers['Warning-Codes'] = warningCodes.join(', ');
  }
  const body = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Uint8Array<ArrayBuffer>;
  return c.body(body, 200, headers);
}
