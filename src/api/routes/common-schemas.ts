import { z } from '@hono/zod-openapi';
import { storableText } from '../../shared/storable-text.ts';
import { wholeNumber } from '../http/whole-number.ts';

/** A character that cannot be printed, in a warning or an error. */
const missingCharacter = z
  .object({
    character: z.string().openapi({ description: 'The character itself.', example: '中' }),
    codePoint: z.string().openapi({ description: 'Its number in Unicode.', example: 'U+4E2D' }),
  })
  .openapi('MissingCharacter');

/** Fields that describe what cannot be printed, and where. */
export const glyphFields = {
  font: z.string().optional().openapi({ description: 'The font that the text asks for.', example: 'Calibri' }),
  characters: z
    .array(missingCharacter)
    .readonly()
    .optional()
    .openapi({ description: 'The characters that no installed font has, at most 50.' }),
  paths: z
    .array(z.string())
    .readonly()
    .optional()
    .openapi({ description: 'The affected values of the data, at most 50.' }),
  count: z.number().int().optional().openapi({ description: 'How many places are affected in all.' }),
};

/** The two values of a difference between an invoice and its pages, and the place. */
export const differenceFields = {
  invoiceLine: z.number().int().optional().openapi({ description: 'The line of the invoice, from 1.' }),
  expected: z.string().optional().openapi({ description: 'The value of the invoice.', example: '119.00' }),
  found: z
    .string()
    .optional()
    .openapi({ description: 'What the page shows in its place; absent if nothing was recognized.', example: '120,00' }),
  page: z
    .number()
    .int()
    .optional()
    .openapi({ description: 'The page, from 1, without pages that the request adds before.' }),
  box: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
    .optional()
    .openapi({ description: 'The place, in points (1/72 inch) from the upper left corner of the page.' }),
};

const detail = z
  .looseObject({
    type: z.enum(['Message', 'Field', 'Rule', 'Difference']).openapi({
      description:
        '`Field` for a field of the request, `Rule` for a rule that an invoice breaks, `Difference` for a value of an invoice that its pages do not show, `Message` for anything else.',
    }),
    message: z.string().openapi({ description: 'What is wrong.' }),
    path: z.string().optional().openapi({ description: 'The invalid request field (`Field` entries).' }),
    tag: z.string().optional().openapi({ description: 'The invalid template tag (`Message` entries).' }),
    part: z.string().optional().openapi({ description: 'The part of the document: body, header 1, footnotes …' }),
    context: z.string().optional().openapi({ description: 'The text around the tag or the first place.' }),
    name: z.string().optional().openapi({ description: 'The affected name in the data, such as `items[].price`.' }),
    hint: z.string().optional().openapi({ description: 'What to do about it.' }),
    jobId: z.string().optional().openapi({ description: 'The document of the error, as a job: `/v1/jobs/{id}`.' }),
    offset: z.number().int().optional().openapi({ description: 'Position in the request body, in bytes from 0.' }),
    rule: z.string().optional().openapi({
      description:
        'The rule that the invoice breaks (`Rule` entries); `invoice-model` if a term has no value, or one that is not valid.',
      example: 'BR-CO-15',
    }),
    businessTerms: z
      .array(z.string())
      .readonly()
      .optional()
      .openapi({ description: 'The terms that the rule or the difference is about.', example: ['BT-112'] }),
    location: z
      .string()
      .optional()
      .openapi({ description: 'XPath of the element that was checked, or the path in the JSON of the invoice.' }),
    expressions: z
      .record(z.string(), z.string())
      .optional()
      .openapi({
        description: 'The expressions that the invoice mapping has for these terms.',
        example: { 'BT-112': 'total' },
      }),
    ...differenceFields,
    ...glyphFields,
  })
  .openapi('ErrorDetail');

/** An error, in an error response and in the resources of failed documents. */
export const errorSchema = z
  .object({
    status: z.number().int().openapi({ description: 'HTTP status code of the error.', example: 400 }),
    message: z.string().openapi({ description: 'What is wrong.', example: 'output.format: must be docx, pdf or xml' }),
    details: z.array(detail).optional().openapi({ description: 'One entry for each invalid field or tag.' }),
  })
  .openapi('ErrorBody');

const problemSchema = z.object({ error: errorSchema }).openapi('Error');

/** The id of the request that created a job or batch; missing for those created before it was stored. */
export const requestIdSchema = z
  .string()
  .openapi({ description: 'The `X-Request-Id` of the request that asked for it.', example: 'order-4711' });

/** A header that the response always has, for the OpenAPI document. */
export const header = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  required: true,
  schema: { type },
});

/** A header that the response has in some cases, for the OpenAPI document. */
export const optionalHeader = (description: string, type: 'string' | 'integer' = 'string') => ({
  ...header(description, type),
  required: false,
});

/** A file in a request or a response; client generators type it as `Blob`. */
export const binary = (description: string) => z.string().openapi({ type: 'string', format: 'binary', description });

export const nextPageHeader = { Link: optionalHeader('The next page, when there is one (RFC 8288).') };

const problem = (description: string) => ({ description, content: { 'application/json': { schema: problemSchema } } });
const retryAfter = { 'Retry-After': header('Seconds to wait before the next attempt.', 'integer') };

const problems = {
  400: problem('Bad request. `details` names each invalid field or tag.'),
  401: problem('Missing or invalid API key.'),
  402: problem('Quota exceeded. Nothing was charged.'),
  403: problem('The API key lacks the scope of this operation, or its account is suspended.'),
  404: problem('Resource not found, or not yours.'),
  409: {
    ...problem(
      'The Idempotency-Key was used with another request, or the state of the resource does not allow the operation.',
    ),
    headers: { 'Retry-After': optionalHeader('Seconds to wait, when the state will change by itself.', 'integer') },
  },
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
  429: { ...problem('Rate limit or limit of e-mails exceeded. Nothing was charged.'), headers: retryAfter },
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
  const statuses = new Set<ProblemStatus>([401, 403, 429, 500, 503, ...own]);
  return Object.fromEntries([...statuses].sort((a, b) => a - b).map((status) => [status, problems[status]]));
}

/** The id of a resource in a path. A malformed id matches no resource and results in 404. */
export const idParam = (prefix: string, description: string, name = 'id') =>
  z.string().openapi({
    param: { name, in: 'path' },
    pattern: `^${prefix}_[0-9a-z]{26}$`,
    example: exampleId(prefix),
    description,
  });

export const exampleId = (prefix: string): string => `${prefix}_01hx5s3k2v9m8q7r6t5w4y3z2a`;

export const templateIdParam = idParam('tpl', 'Id of the template.');

/** Filters a list by template. */
export const templateIdQuery = z
  .string()
  .regex(/^tpl_[0-9a-z]{26}$/, 'must be the id of a template')
  .optional()
  .openapi({ description: 'Only those of this template.', example: exampleId('tpl') });

export const limitParam = wholeNumber(1, 1_000)
  .default(100)
  .openapi({ description: 'Entries per page.', example: 100 });

export const cursorParam = z
  .string()
  .max(200)
  .optional()
  .openapi({ description: 'Position of the page; taken from the `Link` header of the previous page.' });

/** The parameter `search` of a list: part of an id, a file name or a recipient. */
export const searchParam = (description: string) =>
  z
    .string()
    .min(2)
    .max(320)
    .transform(storableText)
    .optional()
    .openapi({ param: { description }, example: 'ada@example.com' });

const entityTags = (description: string) =>
  z.string().optional().openapi({ description, example: '"3-1795000000000"' });

/** Precondition headers of a change (RFC 9110, 13.1). */
export const ifMatchHeader = z.object({
  'If-Match': entityTags(
    'The `ETag` of the state you have read, or several. The change is rejected with 412 if another client changed it first.',
  ),
  'If-None-Match': entityTags('The change is rejected with 412 if the resource is in one of these states.'),
});

/** Precondition headers of a read (RFC 9110, 13.1). */
export const readPreconditions = z.object({
  'If-None-Match': entityTags('The `ETag` of what you have; 304 if it has not changed.'),
  'If-Match': entityTags('Rejected with 412 if the resource is in none of these states.'),
});

/** Precondition and range headers of a download (RFC 9110, 13.1 and 14.2). */
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

/** The responses of a download, for the OpenAPI document: the file, a range of it, or 304. */
export function fileResponses(
  types: readonly string[],
  headers: Readonly<Record<string, ReturnType<typeof header>>> = {},
) {
  const content = Object.fromEntries(types.map((type) => [type, { schema: binary('The file.') }]));
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

export const versionParam = wholeNumber(1, 2_000_000_000).openapi({
  description: 'Version of the template.',
  example: 1,
});

export const versionQuery = versionParam
  .optional()
  .openapi({ description: 'Version of the template. Default: the current one.', example: 1 });

export const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().optional().openapi({
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]([ -~]*[!-~])?$',
    description: 'Repeating the request with the same key returns the same result and charges nothing more.',
    example: 'invoice-2026-114',
  }),
  'X-Request-Id': z.string().optional().openapi({
    description:
      'Your id for the request: 1 to 128 visible ASCII characters; any other is replaced. It is in the response, the logs, the job and webhooks, so it must not be secret.',
    example: 'order-4711',
  }),
  traceparent: z.string().optional().openapi({
    description: 'Your trace (W3C Trace Context); `tracestate` too. Webhooks pass it on. An invalid one is ignored.',
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  }),
});
