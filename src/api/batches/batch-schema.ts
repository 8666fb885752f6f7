import { z } from '@hono/zod-openapi';
import type { BatchRecord } from '../../shared/domain/batches/batch-record.ts';
import { type ErrorRecord, errorTable } from '../../shared/errors.ts';
import { problemSchema } from '../routes/schemas.ts';
import type { BatchState } from './batch-watch.ts';

export const batchIdParam = z.string().openapi({ param: { name: 'id', in: 'path' }, description: 'Id of the batch.' });

export const batchStatus = z.enum(['accepted', 'running', 'completed', 'cancelled', 'failed']);
const count = z.number().int();

export const batchSummary = z
  .object({
    id: z.string(),
    status: batchStatus,
    templateId: z.string(),
    templateVersion: count,
    format: z.enum(['docx', 'pdf']),
    bundle: z.enum(['zip', 'pdf', 'none']),
    rows: count,
    maxFailures: count.optional(),
    error: problemSchema.shape.error.optional(),
    files: z
      .array(z.object({ name: z.string(), size: count, checksum: z.string(), firstRow: count, lastRow: count }))
      .openapi({ description: 'The finished bundle: one zip, or the volumes of one PDF.' }),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().optional(),
    finishedAt: z.iso.datetime().optional(),
    expiresAt: z.iso.datetime().optional().openapi({ description: 'Until when the files can be fetched.' }),
  })
  .openapi('BatchSummary');

export const batchProgress = batchSummary
  .extend({
    counts: z.object({ queued: count, running: count, succeeded: count, failed: count, cancelled: count }),
    rowsPerSecond: z.number().optional().openapi({ description: 'In the last minute, while it runs.' }),
    estimatedFinishAt: z.iso.datetime().optional().openapi({ description: 'At this pace.' }),
  })
  .openapi('BatchProgress');

export const batchSchema = batchProgress
  .extend({
    warnings: z.array(z.object({ code: z.string(), message: z.string(), rows: count })).openapi({
      description: 'What the documents were warned of, and in how many rows; the most frequent ones.',
    }),
  })
  .openapi('Batch');

export function toBatchSummary(batch: BatchRecord): z.infer<typeof batchSummary> {
  const { maxFailures, error, startedAt, finishedAt, expiresAt } = batch;
  return {
    id: batch.id,
    status: batch.status === 'bundling' ? 'running' : batch.status,
    templateId: batch.templateId,
    templateVersion: batch.templateVersion,
    format: batch.format,
    bundle: batch.bundle,
    rows: batch.rows,
    ...(maxFailures !== undefined && { maxFailures }),
    ...(error !== undefined && { error: toRowError(error) }),
    files: batch.files.map(({ name, sizeBytes, checksum, firstRow, lastRow }) => ({
      name,
      size: sizeBytes,
      checksum,
      firstRow,
      lastRow,
    })),
    createdAt: batch.acceptedAt.toISOString(),
    ...(startedAt !== undefined && { startedAt: startedAt.toISOString() }),
    ...(finishedAt !== undefined && { finishedAt: finishedAt.toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
  };
}

export function toBatchProgress({ batch, progress, pace }: BatchState): z.infer<typeof batchProgress> {
  const summary = { ...toBatchSummary(batch), counts: progress };
  if (batch.status !== 'running' || pace === undefined) return summary;
  const secondsLeft = (progress.queued + progress.running) / pace;
  return {
    ...summary,
    rowsPerSecond: Math.round(pace * 100) / 100,
    estimatedFinishAt: new Date(Date.now() + secondsLeft * 1_000).toISOString(),
  };
}

export function toRowError({ code, message, details }: ErrorRecord): z.infer<typeof problemSchema>['error'] {
  return { status: errorTable[code].status, message, ...(details !== undefined && { details: [...details] }) };
}
