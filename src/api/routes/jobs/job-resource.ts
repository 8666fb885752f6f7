import { z } from '@hono/zod-openapi';
import { generationStatuses } from '../../../shared/db/schema/generations.ts';
import type { GenerationRecord } from '../../../shared/domain/generations/generation-record.ts';
import { errorTable } from '../../../shared/errors.ts';
import { errorSchema, glyphFields, idParam } from '../common-schemas.ts';

export const jobStatusSchema = z.enum(generationStatuses).openapi('JobStatus');

export const formatSchema = z.enum(['docx', 'pdf']).openapi('DocumentFormat');

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
    name: z.string().openapi({ description: 'The program that laid out the pages.' }),
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
    size: z.number().int().optional().openapi({ description: 'Size of the file in bytes.' }),
    pages: z.number().int().optional().openapi({ description: 'Pages of a PDF.' }),
    engine: engine
      .optional()
      .openapi({ description: 'What made a PDF. Another version may lay out pages differently.' }),
    emailDeliveryId: z.string().optional().openapi({ description: 'The delivery by e-mail: `/v1/deliveries/{id}`.' }),
    warnings: z.array(warning).openapi({ description: 'What differs from what the request asked for.' }),
    timings: timings.optional(),
    error: errorSchema.optional(),
    createdAt: z.iso.datetime().openapi({ description: 'When the request was accepted.' }),
    startedAt: z.iso.datetime().optional().openapi({ description: 'When a worker began.' }),
    finishedAt: z.iso.datetime().optional().openapi({ description: 'When the job ended.' }),
    expiresAt: z.iso.datetime().optional().openapi({ description: 'When the file is deleted.' }),
  })
  .openapi('Job');

export function toJobResource(generation: GenerationRecord): z.infer<typeof jobSchema> {
  const { result, error, pages, engine, timings, startedAt, finishedAt, expiresAt } = generation;
  const isInObjectStore = result?.store === 'object';
  return {
    id: generation.id,
    status: generation.status,
    templateId: generation.templateId,
    templateVersion: generation.templateVersion,
    format: generation.format,
    filename: generation.filename,
    ...(isInObjectStore && { size: result.sizeBytes }),
    ...(pages !== undefined && { pages }),
    ...(engine !== undefined && { engine }),
    ...(generation.deliveryId !== undefined && { emailDeliveryId: generation.deliveryId }),
    warnings: [...generation.warnings],
    ...(timings !== undefined && { timings }),
    ...(error !== undefined && {
      error: {
        status: errorTable[error.code].status,
        message: error.message,
        ...(error.details !== undefined && { details: [...error.details] }),
      },
    }),
    createdAt: generation.acceptedAt.toISOString(),
    ...(startedAt !== undefined && { startedAt: startedAt.toISOString() }),
    ...(finishedAt !== undefined && { finishedAt: finishedAt.toISOString() }),
    ...(isInObjectStore && expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
  };
}
