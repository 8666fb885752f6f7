import { z } from '@hono/zod-openapi';
import { generationStatuses } from '../../../shared/db/schema/generations.ts';
import type { GenerationRecord } from '../../../shared/domain/generations/generation-record.ts';
import { errorTable } from '../../../shared/errors.ts';
import { problemSchema } from '../common-schemas.ts';

export const jobStatusSchema = z.enum(generationStatuses);

export const jobIdParam = z.string().openapi({ param: { name: 'id', in: 'path' }, description: 'Id of the job.' });

export const jobSchema = z
  .object({
    id: z.string(),
    status: jobStatusSchema,
    templateId: z.string(),
    templateVersion: z.number().int(),
    format: z.enum(['docx', 'pdf']),
    filename: z.string(),
    size: z.number().int().optional().openapi({ description: 'Size of the file in bytes.' }),
    pages: z.number().int().optional().openapi({ description: 'Pages of a PDF.' }),
    emailDeliveryId: z.string().optional(),
    warnings: z.array(z.object({ code: z.string(), message: z.string(), part: z.string().optional() })),
    timings: z
      .object({ queueMs: z.number(), renderMs: z.number(), convertMs: z.number(), totalMs: z.number() })
      .optional(),
    error: problemSchema.shape.error.optional(),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().optional(),
    finishedAt: z.iso.datetime().optional(),
    expiresAt: z.iso.datetime().optional().openapi({ description: 'When the file is deleted.' }),
  })
  .openapi('Job');

export function toJobResource(generation: GenerationRecord): z.infer<typeof jobSchema> {
  const { result, error, pages, timings, startedAt, finishedAt, expiresAt } = generation;
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
