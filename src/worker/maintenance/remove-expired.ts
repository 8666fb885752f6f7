import { findExpiredBatches, markBatchExpired } from '../../shared/domain/batches/expire-batch.ts';
import { findExpiredResults, markResultExpired } from '../../shared/domain/generations/expire-results.ts';
import { removeExpiredKeys } from '../../shared/domain/idempotency-keys.ts';
import { findPurgeableTemplates, purgeTemplate } from '../../shared/domain/templates/remove-template.ts';
import type { WorkerDeps } from '../deps.ts';
import { forEach } from './for-each.ts';

const keysAtOnce = 1_000;
const rowsAtOnce = 25;
const templatesAtOnce = 100;

/** Removes expired idempotency keys and documents, the object before its row so that a crash leaves the row to retry. */
export async function expireResults(deps: WorkerDeps): Promise<void> {
  while ((await removeExpiredKeys(deps.db, keysAtOnce)) === keysAtOnce);
  await expireAll(
    deps,
    () => findExpiredResults(deps.db, rowsAtOnce),
    async ({ id, objectKey }) => {
      await deps.objects.remove([objectKey]);
      // failpoint: result-removed-before-row
      await markResultExpired(deps.db, id);
    },
  );
}

/** Removes the input and the files of expired batches, objects before the row. */
export async function expireBatches(deps: WorkerDeps): Promise<void> {
  await expireAll(
    deps,
    () => findExpiredBatches(deps.db, rowsAtOnce),
    async ({ id, objectKeys }) => {
      await deps.objects.remove(objectKeys);
      // failpoint: batch-removed-before-row
      await markBatchExpired(deps.db, id);
    },
  );
}

/** Removes the files of deleted templates that no unfinished document needs. */
export async function purgeTemplates(deps: WorkerDeps): Promise<void> {
  const purgeable = await findPurgeableTemplates(deps.db, templatesAtOnce);
  const rows = purgeable.map(({ templateId, objectKeys }) => ({ id: templateId, objectKeys }));
  await forEach(deps, rows, async ({ id, objectKeys }) => {
    await deps.objects.remove(objectKeys);
    await purgeTemplate(deps.db, id);
  });
}

/** Expires pages of rows until a page is not full or a row fails. */
async function expireAll<Row extends { readonly id: string }>(
  deps: WorkerDeps,
  findPage: () => Promise<readonly Row[]>,
  expire: (row: Row) => Promise<void>,
): Promise<void> {
  for (;;) {
    const page = await findPage();
    let remaining = page.length;
    await forEach(deps, page, async (row) => {
      await expire(row);
      remaining -= 1;
    });
    if (page.length < rowsAtOnce || remaining > 0) return;
  }
}
