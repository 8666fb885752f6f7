import { findStrayKeys } from '../../shared/domain/objects/find-stray-keys.ts';
import type { WorkerDeps } from '../context.ts';

const prefixes = ['templates/', 'results/'] as const;

/**
 * Removes objects that no row points at: what a process left that died between writing an object and its row. Younger
 * ones are spared, since their row may be on its way.
 */
export async function removeStrays(deps: WorkerDeps): Promise<void> {
  const before = new Date(Date.now() - deps.config.STRAY_AGE_SECONDS * 1_000);
  for (const prefix of prefixes) {
    for await (const page of deps.objects.list(prefix)) {
      const old = page.filter((object) => object.modifiedAt < before).map((object) => object.key);
      const strays = old.length === 0 ? [] : await findStrayKeys(deps.db, old);
      if (strays.length === 0) continue;
      await deps.objects.remove(strays);
      deps.logger.info({ prefix, strays: strays.length }, 'stray objects were removed');
    }
  }
}
