import { z } from '@hono/zod-openapi';
import { documentStatuses } from '../../../shared/db/schema/documents.ts';
import type {
  DocumentConformance,
  DocumentInclude,
  DocumentRecord,
} from '../../../shared/domain/documents/document-record.ts';
import { errorTable } from '../../../shared/errors.ts';
import { pdfEngineOf, pdfEngines } from '../../../shared/pdf-engine.ts';
import { errorSchema, glyphFields, idParam, requestIdSchema } from '../common-schemas.ts';

export const jobStatusSchema = z.enum(documentStatuses).openapi('JobStatus');

export const formatSchema = z.enum(['docx', 'pdf', 'xml']).openapi('DocumentFormat');

export const jobIdParam = idParam('doc', 'Id of the job.');

const warning = z
  .object({
    code: z.string().openapi({ description: 'Kind of the warning.' }),
    message: z.string().openapi({ description: 'What differs.' }),
    part: z.string().optional().openapi({ description: 'The part of the document: body, header 1, footnotes …' }),
    context: z.string().optional().openapi({ description: 'The text around the first place.' }),
    ...glyphFields,
  })
  .openapi('DocumentWarning');

const failure = z
  .object({
    rule: z.string().openapi({ description: 'Name of the rule, such as `figure-alt`.' }),
    clause: z.string().openapi({ description: 'Where the standard says it.' }),
    message: z.string().openapi({ description: 'What is wrong, and what to do.' }),
    place: z.string().optional().openapi({ description: 'Where it was found first.' }),
    count: z.number().int().openapi({ description: 'How often it was found.' }),
  })
  .openapi('ConformanceFailure', { description: 'A rule of a standard that the file breaks.' });

const conformance = z
  .object({
    passed: z.boolean().openapi({ description: 'Whether the file meets every checked rule of every standard.' }),
    standards: z
      .array(
        z
          .object({
            standard: z.string().openapi({ description: 'PDF/A-1b, PDF/A-2b, PDF/A-2u, PDF/A-3b or PDF/UA-1.' }),
            passed: z.boolean().openapi({ description: 'Whether the file meets every checked rule.' }),
            checked: z.number().int().openapi({ description: 'Number of rules that were checked.' }),
            failures: z.array(failure).openapi({ description: 'The rules that the file breaks.' }),
          })
          .openapi('StandardConformance', { description: 'The result for one standard.' }),
      )
      .openapi({ description: 'One result for each standard that was requested.' }),
  })
  .openapi('JobConformance', {
    description: 'The check of a PDF that was requested with `archive` or `accessible`. Absent without them.',
  });

const includeSchema = z
  .object({
    name: z.string().openapi({ description: 'The name or the id by which a tag includes it.' }),
    templateId: z.string().openapi({ description: 'Id of the included template.' }),
    version: z.number().int().openapi({ description: 'Its version, which was current when the request was accepted.' }),
  })
  .openapi('JobInclude', { description: 'A template that the template of the document includes.' });

const timings = z
  .object({
    queueMs: z.number().openapi({ description: 'Waiting for a worker.' }),
    renderMs: z.number().openapi({ description: 'Filling the template.' }),
    convertMs: z.number().openapi({ description: 'Converting to PDF.' }),
    totalMs: z.number().openapi({ description: 'From acceptance to the end.' }),
  })
  .openapi('JobTimings');

const engine = z
  .object({
    name: z.string().openapi({ description: 'The program that laid out the pages: `LibreOffice` or `Docmill`.' }),
    version: z.string().openapi({ description: 'Its version.' }),
  })
  .openapi('JobEngine');

export const jobSchema = z
  .object({
    id: z.string().openapi({ description: 'Id of the job, and of its document.' }),
    status: jobStatusSchema,
    templateId: z.string().openapi({ description: 'Id of the template.' }),
    templateVersion: z.number().int().openapi({ description: 'Version of the template.' }),
    format: formatSchema,
    filename: z.string().openapi({ description: 'Name of the file.' }),
    test: z
      .literal(true)
      .optional()
      .openapi({ description: 'Requested with a test key: free, and with a watermark. Absent otherwise.' }),
    size: z.number().int().optional().openapi({ description: 'Size of the file in bytes.' }),
    pages: z.number().int().optional().openapi({ description: 'Pages of a PDF.' }),
    pdfEngine: z.enum(pdfEngines).optional().openapi({
      description:
        'What laid out the pages of a PDF: `office` is LibreOffice; `direct` is Docmill itself. `pdfEngine` of its template says what lays out the next one.',
    }),
    pdfEngineReasons: z
      .array(z.string())
      .optional()
      .openapi({
        description:
          'Why `pdfEngine` is `office`: an option of the request, the state of the template, or what the document contains. Absent if it is `direct`, and while direct layout is turned off.',
        example: ['Not laid out directly: a tracked change (w:ins).'],
      }),
    engine: engine
      .optional()
      .openapi({ description: 'The program behind `pdfEngine`. Another version may lay out pages differently.' }),
    includes: z.array(includeSchema).optional().openapi({
      description: 'The templates that the template includes, with those that these include. Absent for none.',
    }),
    emailDeliveryId: z.string().optional().openapi({ description: 'The delivery by e-mail: `/v1/deliveries/{id}`.' }),
    emailRecipients: z
      .array(z.string())
      .optional()
      .openapi({ description: 'To whom the request sends the document by e-mail, while the document is kept.' }),
    warnings: z.array(warning).openapi({ description: 'What differs from what the request asked for.' }),
    conformance: conformance.optional(),
    timings: timings.optional(),
    error: errorSchema.optional(),
    requestId: requestIdSchema.optional(),
    createdAt: z.iso.datetime().openapi({ description: 'When the request was accepted.' }),
    startedAt: z.iso.datetime().optional().openapi({ description: 'When a worker began.' }),
    finishedAt: z.iso.datetime().optional().openapi({ description: 'When the job ended.' }),
    expiresAt: z.iso.datetime().optional().openapi({ description: 'When the file is deleted.' }),
  })
  .openapi('Job');

export function toJobResource(document: DocumentRecord): z.infer<typeof jobSchema> {
  const { result, error, pages, engine, conformance, timings, startedAt, finishedAt, expiresAt } = document;
  const isInObjectStore = result?.store === 'object';
  return {
    id: document.id,
    status: document.status,
    templateId: document.templateId,
    templateVersion: document.templateVersion,
    format: document.format,
    filename: document.filename,
    ...(document.includes.length > 0 && { includes: document.includes.map(toInclude) }),
    ...(document.isTest && { test: true as const }),
    ...(isInObjectStore && { size: result.sizeBytes }),
    ...(pages !== undefined && { pages }),
    ...(engine !== undefined && {
      pdfEngine: pdfEngineOf(engine),
      ...(engine.reasons !== undefined && { pdfEngineReasons: [...engine.reasons] }),
      engine: { name: engine.name, version: engine.version },
    }),
    ...(document.deliveryId !== undefined && { emailDeliveryId: document.deliveryId }),
    ...(document.recipients.length > 0 && { emailRecipients: [...document.recipients] }),
    warnings: [...document.warnings],
    ...(conformance !== undefined && { conformance: toConformance(conformance) }),
    ...(timings !== undefined && { timings }),
    ...(error !== undefined && {
      error: {
        status: errorTable[error.code].status,
        message: error.message,
        ...(error.details !== undefined && { details: [...error.details] }),
      },
    }),
    ...(document.trace !== undefined && { requestId: document.trace.requestId }),
    createdAt: document.acceptedAt.toISOString(),
    ...(startedAt !== undefined && { startedAt: startedAt.toISOString() }),
    ...(finishedAt !== undefined && { finishedAt: finishedAt.toISOString() }),
    ...(isInObjectStore && expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
  };
}

function toInclude({ reference, templateId, version }: DocumentInclude): z.infer<typeof includeSchema> {
  return { name: reference, templateId, version };
}

function toConformance({ passed, standards }: DocumentConformance): z.infer<typeof conformance> {
  return { passed, standards: standards.map(({ failures, ...result }) => ({ ...result, failures: [...failures] })) };
}
