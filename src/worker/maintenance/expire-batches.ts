import { findExpiredBatches, markBatchExpired } from '../../shared/domain/batches/expire-batch.ts';
import type { WorkerDeps } from '../context.ts';
import { forEach } from './for-each.ts';

const batchesAtOnce = 25;

/** Removes the input and the files of batches past their time; objects before the row, so that a crash leaves it to find them by. */
export async function expireBatches(deps: WorkerDeps): Promise<void> {
  for (;;) {
    const expired = await findExpiredBatches(deps.db, batchesAtOnce);
    let left = expired.length;
    await forEach(deps, expired, async ({ id, objectKeys }) => {
      await deps.objects.remove(objectKeys);
      // failpoint: batch-removed-before-row
      await markBatchExpired(deps.db, id);
      left -= 1;
    });
    if (expired.length < batchesAtOnce || left > 0) return;
  }
}
