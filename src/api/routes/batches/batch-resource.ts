import { z } from '@hono/zod-openapi';
import type { BatchRecord } from '../../../shared/domain/batches/find-batches.ts';
import { findBatch } from '../../../shared/domain/batches/find-batches.ts';
import { type ErrorRecord, errorTable } from '../../../shared/errors.ts';
import type { ApiDeps } from '../../api-deps.ts';
import type { BatchState } from '../../batches/batch-monitor.ts';
import { errorSchema, idParam, requestIdSchema } from '../common-schemas.ts';
import { formatSchema } from '../jobs/job-resource.ts';

export const batchIdParam = idParam('bat', 'Id of the batch.');

export const batchStatusSchema = z
  .enum(['accepted', 'running', 'completed', 'cancelled', 'failed'])
  .openapi('BatchStatus');
const count = z.number().int();
const checksum = z.string().openapi({ description: 'SHA-256 of the file, hex.' });

const fileSchema = z
  .object({
    name: z.string().openapi({ description: 'Name of the file.' }),
    size: count.openapi({ description: 'Size of the file in bytes.' }),
    checksum,
    firstRow: count.openapi({ description: 'The first row in this file.' }),
    lastRow: count.openapi({ description: 'The last row in this file.' }),
  })
  .openapi('BatchFile');

const countsSchema = z
  .object({
    queued: count.openapi({ description: 'Rows that wait.' }),
    running: count.openapi({ description: 'Rows that are being produced.' }),
    succeeded: count.openapi({ description: 'Rows that have a document.' }),
    failed: count.openapi({ description: 'Rows without one; they cost nothing.' }),
    cancelled: count.openapi({ description: 'Rows that were cancelled; they cost nothing.' }),
  })
  .openapi('BatchCounts', { description: 'Number of rows by status.' });

const warningSchema = z
  .object({
    code: z.string().openapi({ description: 'Kind of the warning.' }),
    message: z.string().openapi({ description: 'What differs.' }),
    rows: count.openapi({ description: 'Number of rows with this warning.' }),
  })
  .openapi('BatchWarning');

export const batchSummarySchema = z
  .object({
    id: z.string().openapi({ description: 'Id of the batch.' }),
    status: batchStatusSchema,
    templateId: z.string().openapi({ description: 'Id of the template.' }),
    templateVersion: count.openapi({ description: 'Version of the template.' }),
    format: formatSchema,
    bundle: z.enum(['zip', 'pdf', 'none']).openapi({ description: 'How the files can be downloaded.' }),
    rows: count.openapi({ description: 'Number of rows.' }),
    maxFailures: count.optional().openapi({ description: 'The batch fails when more rows than this fail.' }),
    error: errorSchema.optional(),
    files: z.array(fileSchema).openapi({ description: 'The finished bundle: one zip, or the volumes of one PDF.' }),
    requestId: requestIdSchema.optional(),
    createdAt: z.iso.datetime().openapi({ description: 'When the batch was accepted.' }),
    startedAt: z.iso.datetime().optional().openapi({ description: 'When the first row began.' }),
    finishedAt: z.iso.datetime().optional().openapi({ description: 'When the batch ended.' }),
    expiresAt: z.iso.datetime().optional().openapi({ description: 'When the files are deleted.' }),
  })
  .openapi('BatchSummary');

export const batchProgressSchema = batchSummarySchema
  .extend({
    counts: countsSchema,
    rowsPerSecond: z.number().optional().openapi({ description: 'Average of the last minute, while the batch runs.' }),
    estimatedFinishAt: z.iso.datetime().optional().openapi({ description: 'Estimated from `rowsPerSecond`.' }),
  })
  .openapi('BatchProgress');

export const batchSchema = batchProgressSchema
  .extend({
    warnings: z.array(warningSchema).openapi({
      description: 'The most frequent warnings of the documents, with the number of rows.',
    }),
  })
  .openapi('Batch');

export function toBatchSummaryResource(batch: BatchRecord): z.infer<typeof batchSummarySchema> {
  const { maxFailures, error, trace, startedAt, finishedAt, expiresAt } = batch;
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
    ...(trace !== undefined && { requestId: trace.requestId }),
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

export function toRowError({ code, message, details }: ErrorRecord): z.infer<typeof errorSchema> {
  return { status: errorTable[code].status, message, ...(details !== undefined && { details: [...details] }) };
}

/** The account's batch with its counts: at most a second old, or current with `isFresh`. Throws `not_found`. */
export async function readBatchResource(
  { db, batchMonitor }: ApiDeps,
  accountId: string,
  { id, isFresh }: { readonly id: string; readonly isFresh: boolean },
): Promise<z.infer<typeof batchSchema>> {
  const batch = await findBatch(db, accountId, id);
  const state = await batchMonitor.read(batch, isFresh);
  return { ...toBatchProgressResource({ ...state, batch }), warnings: [...(await batchMonitor.warnings(batch))] };
}
