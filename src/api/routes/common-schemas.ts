import { z } from '@hono/zod-openapi';

const detail = z
  .looseObject({
    type: z.enum(['Message', 'Field']),
    message: z.string(),
    path: z.string().optional().openapi({ description: 'The invalid request field (`Field` entries).' }),
    tag: z.string().optional().openapi({ description: 'The invalid template tag (`Message` entries).' }),
    part: z.string().optional().openapi({ description: 'The part of the document: body, header 1, footnotes …' }),
    context: z.string().optional().openapi({ description: 'The text around the tag.' }),
    name: z.string().optional().openapi({ description: 'The affected name in the data, such as `items[].price`.' }),
    hint: z.string().optional(),
    offset: z.number().int().optional().openapi({ description: 'Position in the request body, in bytes from 0.' }),
  })
  .openapi('ErrorDetail');

export const problemSchema = z
  .object({
    error: z.object({
      status: z.number().int().openapi({ example: 400 }),
      message: z.string().openapi({ example: 'output.format: must be docx or pdf' }),
      details: z.array(detail).optional(),
    }),
  })
  .openapi('Error');

/** A response header, for the OpenAPI document. */
export const header = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  required: true,
  schema: { type },
});

const problem = (description: string) => ({ description, content: { 'application/json': { schema: problemSchema } } });
const retryAfter = { 'Retry-After': header('Seconds to wait before the next attempt.', 'integer') };

const problems = {
  400: problem('Bad request. `details` names each invalid field or tag.'),
  401: problem('Missing or invalid API key.'),
  402: problem('Quota exceeded. Nothing was charged.'),
  404: problem('Resource not found, or not yours.'),
  409: problem(
    'The Idempotency-Key was used with another request, or the state of the resource does not allow the operation.',
  ),
  412: problem(
    'A precondition (`If-Match`, `If-None-Match`) names another state of the resource. Nothing was changed.',
  ),
  415: {
    ...problem('The body has a `Content-Encoding` that is not supported.'),
    headers: { 'Accept-Encoding': header('The supported encodings.') },
  },
  416: {
    ...problem('The range begins after the end of the file.'),
    headers: { 'Content-Range': header('The size of the file: `bytes */1234`.') },
  },
  429: { ...problem('Rate limit exceeded.'), headers: retryAfter },
  500: problem('Internal server error. Nothing was charged.'),
  503: {
    ...problem('A dependency is unavailable, or the service is saturated. Nothing was charged.'),
    headers: retryAfter,
  },
  504: problem('The wait limit has passed. The document is still being produced; its id is in `details`.'),
} as const;

type ProblemStatus = keyof typeof problems;

/** The error responses of an operation, for the OpenAPI document: the common ones and its own. */
export function problemResponses(...own: readonly ProblemStatus[]) {
  const statuses = new Set<ProblemStatus>([401, 429, 500, 503, ...own]);
  return Object.fromEntries([...statuses].sort((a, b) => a - b).map((status) => [status, problems[status]]));
}

export const templateIdParam = z.string().openapi({
  param: { name: 'id', in: 'path' },
  example: 'tpl_01hx5s3k2v9m8q7r6t5w4y3z2a',
  description: 'Id of the template.',
});

const entityTags = (description: string) =>
  z.string().optional().openapi({ description, example: '"3-1795000000000"' });

/** Preconditions of a change (RFC 9110, 13.1). */
export const ifMatchHeader = z.object({
  'If-Match': entityTags(
    'The `ETag` of the state you have read, or several. The change is rejected with 412 if another client changed it first.',
  ),
  'If-None-Match': entityTags('The change is rejected with 412 if the resource is in one of these states.'),
});

/** Preconditions of a read (RFC 9110, 13.1). */
export const readPreconditions = z.object({
  'If-None-Match': entityTags('The `ETag` of what you have; 304 if it has not changed.'),
  'If-Match': entityTags('Rejected with 412 if the resource is in none of these states.'),
});

/** Preconditions and range of a download (RFC 9110, 13.1 and 14.2). */
export const downloadHeaders = readPreconditions.extend({
  Range: z.string().optional().openapi({ description: 'One range of bytes, such as `bytes=0-1023`.' }),
  'If-Range': z.string().optional().openapi({
    description: 'The `ETag` of what you have; if the file has changed, the whole file is sent.',
  }),
});

export const etagHeader = { ETag: header('The entity tag of this state, for `If-Match` and `If-None-Match`.') };
export const notModifiedResponse = {
  304: { description: 'Not modified: `If-None-Match` names the current state.', headers: etagHeader },
};

const binary = z.string().openapi({ type: 'string', format: 'binary' });

/** The responses of a download, for the OpenAPI document: the file, a range of it, or 304. */
export function fileResponses(
  types: readonly string[],
  headers: Readonly<Record<string, ReturnType<typeof header>>> = {},
) {
  const content = Object.fromEntries(types.map((type) => [type, { schema: binary }]));
  const common = {
    'Content-Disposition': header('Name of the file (RFC 6266).'),
    'Accept-Ranges': header('Always `bytes`.'),
    ...etagHeader,
    ...headers,
  };
  const contentRange = header('The range and the size of the file.');
  return {
    200: { description: 'The file.', headers: common, content },
    206: {
      description: 'The requested range of the file.',
      headers: { ...common, 'Content-Range': contentRange },
      content,
    },
    ...notModifiedResponse,
  };
}

export const versionParam = z.coerce.number('must be a number').int('must be a whole number').min(1).max(2_000_000_000);

export const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().openapi({
    description: 'Repeating the request with the same key returns the same result and charges nothing more.',
  }),
});
