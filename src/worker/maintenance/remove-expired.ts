import { findExpiredBatches, markBatchExpired } from '../../shared/domain/batches/expire-batch.ts';
import { findExpiredResults, markResultExpired } from '../../shared/domain/generations/expire-results.ts';
import { removeExpiredKeys } from '../../shared/domain/idempotency/expire-keys.ts';
import { findPurgeableTemplates, purgeTemplate } from '../../shared/domain/templates/purge-templates.ts';
import type { WorkerDeps } from '../deps.ts';
import { forEach } from './for-each.ts';

const keysAtOnce = 1_000;
const resultsAtOnce = 25;

/** Removes idempotency keys and kept documents past their time; an object before its row, so that a crash leaves a row to find it by. */
export async function expireResults(deps: WorkerDeps): Promise<void> {
  while ((await removeExpiredKeys(deps.db, keysAtOnce)) === keysAtOnce);
  for (;;) {
    const expired = await findExpiredResults(deps.db, resultsAtOnce);
    let left = expired.length;
    await forEach(deps, expired, async ({ id, objectKey }) => {
      await deps.objects.remove([objectKey]);
      // failpoint: result-removed-before-row
      await markResultExpired(deps.db, id);
      left -= 1;
    });
    if (expired.length < resultsAtOnce || left > 0) return;
  }
}

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

const batchSize = 100;

/** Removes the files of deleted templates that no unfinished document needs. */
export async function purgeTemplates(deps: WorkerDeps): Promise<void> {
  const purgeable = await findPurgeableTemplates(deps.db, batchSize);
  const rows = purgeable.map(({ templateId, objectKeys }) => ({ id: templateId, objectKeys }));
  await forEach(deps, rows, async ({ id, objectKeys }) => {
    await deps.objects.remove(objectKeys);
    await purgeTemplate(deps.db, id);
  });
}
