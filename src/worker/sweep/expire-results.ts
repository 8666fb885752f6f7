import { findExpiredResults, markResultExpired } from '../../shared/domain/generations/expire-results.ts';
import { removeExpiredKeys } from '../../shared/domain/idempotency/expire-keys.ts';
import type { WorkerDeps } from '../context.ts';

const batchSize = 500;

/** Removes kept documents past their time, object first, so that a crash leaves a row to find it by. */
export async function expireResults(deps: WorkerDeps): Promise<void> {
  for (const { id, objectKey } of await findExpiredResults(deps.db, batchSize)) {
    await deps.objects.remove([objectKey]);
    // failpoint: result-removed-before-row
    await markResultExpired(deps.db, id);
  }
  await removeExpiredKeys(deps.db, batchSize);
}
