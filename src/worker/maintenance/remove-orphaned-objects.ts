import { findOrphanedKeys } from '../../shared/domain/objects/find-orphaned-keys.ts';
import type { WorkerDeps } from '../deps.ts';

const prefixes = ['templates/', 'results/', 'assets/', 'batches/'] as const;

/**
 * Removes objects that no row points at: what a process left that died between writing an object and its row. Younger
 * ones are spared, since their row may be on its way.
 */
export async function removeStrays(deps: WorkerDeps): Promise<void> {
  for (const prefix of prefixes) {
    for await (const page of deps.objects.list(prefix)) {
      const strays = await findOrphanedKeys(deps.db, page, deps.config.ORPHAN_AGE_SECONDS);
      if (strays.length === 0) continue;
      await deps.objects.remove(strays);
      deps.logger.info({ prefix, strays: strays.length }, 'stray objects were removed');
    }
  }
}
