import { findOrphanedKeys } from '../../shared/domain/orphaned-objects.ts';
import type { WorkerDeps } from '../deps.ts';

const prefixes = ['templates/', 'results/', 'assets/', 'batches/'] as const;

/** Removes objects without a row, left by a crash between the two writes. Keeps recent ones, whose row may still be written. */
export async function removeOrphanedObjects(deps: WorkerDeps): Promise<void> {
  for (const prefix of prefixes) {
    for await (const page of deps.objects.list(prefix)) {
      const orphans = await findOrphanedKeys(deps.db, page, deps.config.ORPHAN_AGE_SECONDS);
      if (orphans.length === 0) continue;
      await deps.objects.remove(orphans);
      deps.logger.info({ prefix, objects: orphans.length }, 'orphaned objects were removed');
    }
  }
}
