import { findExpiredResults, markResultExpired } from '../../shared/domain/generations/expire-results.ts';
import { removeExpiredKeys } from '../../shared/domain/idempotency/expire-keys.ts';
import type { WorkerDeps } from '../context.ts';
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
