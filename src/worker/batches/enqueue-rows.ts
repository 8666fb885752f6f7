import { requeueRows } from '../../shared/domain/batches/dispatch/requeue-rows.ts';
import { abandonGeneration } from '../../shared/domain/generations/fail-generation.ts';
import type { OutputFormat } from '../../shared/domain/generations/generation-record.ts';
import type { ErrorRecord } from '../../shared/errors.ts';
import type { WorkerDeps } from '../deps.ts';
import { type PlannedRead, type PlannedRow, planReads } from './plan-reads.ts';

/** Longer than any row waits in a lane; what a crash leaves behind goes by itself. */
const dataTtlSeconds = 86_400;
const maxReadBytes = 4 * 1024 * 1024;

const inputLost: ErrorRecord = {
  code: 'unavailable',
  message: 'The data of this row was lost before its document could be made.',
};

export type HandOverDeps = Pick<WorkerDeps, 'db' | 'logger' | 'objects' | 'queues' | 'transient'>;

/** Brings rows to their lane: data first, then the job. Those that cannot be brought wait in line again. */
export async function handOver(deps: HandOverDeps, lane: OutputFormat, rows: readonly PlannedRow[]): Promise<void> {
  const reads = planReads(rows, maxReadBytes);
  for (const [index, read] of reads.entries()) {
    try {
      await bring(deps, lane, read);
    } catch (error) {
      const left = reads.slice(index).flatMap((one) => one.rows.map(({ generationId }) => generationId));
      deps.logger.warn({ err: error, rows: left.length }, 'rows of batches could not be handed over');
      await requeueRows(deps.db, left);
      throw error;
    }
  }
}

async function bring(deps: HandOverDeps, lane: OutputFormat, read: PlannedRead): Promise<void> {
  const bytes = await deps.objects.getRange(read.inputKey, read.offset, read.sizeBytes);
  if (bytes === undefined) return await giveUp(deps, read);
  await Promise.all(
    read.rows.map(({ generationId, dataOffset, dataBytes }) => {
      const start = dataOffset - read.offset;
      return deps.transient.put('data', generationId, bytes.subarray(start, start + dataBytes), dataTtlSeconds);
    }),
  );
  // failpoint: batch-data-before-job
  await deps.queues.addMany(
    `${lane}-batch`,
    read.rows.map(({ generationId }) => ({ jobId: generationId, payload: { generationId, replyTo: null } })),
  );
}

async function giveUp(deps: HandOverDeps, { inputKey, rows }: PlannedRead): Promise<void> {
  deps.logger.error({ inputKey, rows: rows.length }, 'the input of a batch is lost');
  for (const { generationId, attempts } of rows) {
    await abandonGeneration(deps.db, { id: generationId, attempts }, inputLost);
  }
}
