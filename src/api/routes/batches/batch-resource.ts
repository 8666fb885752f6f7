import { z } from '@hono/zod-openapi';
import type { BatchRecord } from '../../../shared/domain/batches/find-batches.ts';
import { findBatch } from '../../../shared/domain/batches/find-batches.ts';
import { type ErrorRecord, errorTable } from '../../../shared/errors.ts';
import type { BatchState } from '../../batches/batch-monitor.ts';
import type { ApiDeps } from '../../http/operation.ts';
import { problemSchema } from '../common-schemas.ts';

export const batchIdParam = z.string().openapi({ param: { name: 'id', in: 'path' }, description: 'Id of the batch.' });

export const batchStatusSchema = z.enum(['accepted', 'running', 'completed', 'cancelled', 'failed']);
const count = z.number().int();

export const batchSummarySchema = z
  .object({
    id: z.string(),
    status: batchStatusSchema,
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
    expiresAt: z.iso.datetime().optional().openapi({ description: 'When the files are deleted.' }),
  })
  .openapi('BatchSummary');

export const batchProgressSchema = batchSummarySchema
  .extend({
    counts: z.object({ queued: count, running: count, succeeded: count, failed: count, cancelled: count }),
    rowsPerSecond: z.number().optional().openapi({ description: 'Average of the last minute, while the batch runs.' }),
    estimatedFinishAt: z.iso.datetime().optional().openapi({ description: 'Estimated from `rowsPerSecond`.' }),
  })
  .openapi('BatchProgress');

export const batchSchema = batchProgressSchema
  .extend({
    warnings: z.array(z.object({ code: z.string(), message: z.string(), rows: count })).openapi({
      description: 'The most frequent warnings of the documents, with the number of rows.',
    }),
  })
  .openapi('Batch');

export function toBatchSummaryResource(batch: BatchRecord): z.infer<typeof batchSummarySchema> {
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

export function toBatchProgressResource({
  batch,
  progress,
  rowsPerSecond,
}: BatchState): z.infer<typeof batchProgressSchema> {
  const summary = { ...toBatchSummaryResource(batch), counts: progress };
  if (batch.status !== 'running' || rowsPerSecond === undefined) return summary;
  const remainingSeconds = (progress.queued + progress.running) / rowsPerSecond;
  return {
    ...summary,
    rowsPerSecond: Math.round(rowsPerSecond * 100) / 100,
    estimatedFinishAt: new Date(Date.now() + remainingSeconds * 1_000).toISOString(),
  };
}

export function toRowError({ code, message, details }: ErrorRecord): z.infer<typeof problemSchema>['error'] {
  return { status: errorTable[code].status, message, ...(details !== undefined && { details: [...details] }) };
}

/** The account's batch with its counts; at most a second old, or current when `isFresh`. Throws `not_found`. */
export async function readBatchResource(
  { db, batchMonitor }: ApiDeps,
  accountId: string,
  { id, isFresh }: { readonly id: string; readonly isFresh: boolean },
): Promise<z.infer<typeof batchSchema>> {
  const batch = await findBatch(db, accountId, id);
  const state = await batchMonitor.read(batch, isFresh);
  return { ...toBatchProgressResource({ ...state, batch }), warnings: [...(await batchMonitor.warnings(batch))] };
}
