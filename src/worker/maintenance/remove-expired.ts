import { findExpiredBatches, markBatchExpired } from '../../shared/domain/batches/expire-batch.ts';
import { removeOldEmailCounts } from '../../shared/domain/deliveries/email-limits.ts';
import { purgeDictionaries } from '../../shared/domain/dictionaries/remove-dictionary.ts';
import { findExpiredResults, markResultExpired } from '../../shared/domain/documents/expire-results.ts';
import { findPurgeableFonts, purgeFont } from '../../shared/domain/fonts/remove-font.ts';
import { removeExpiredKeys } from '../../shared/domain/idempotency-keys.ts';
import { removeExpiredOperatorRequests } from '../../shared/domain/operators/operator-requests.ts';
import { findPurgeableTemplates, purgeTemplate } from '../../shared/domain/templates/remove-template.ts';
import type { WorkerDeps } from '../deps.ts';
import { removeEmailFiles } from '../documents/email-files.ts';
import { forEach } from './for-each.ts';
import { walk } from './walk.ts';

const keysAtOnce = 1_000;
const countsAtOnce = 5_000;
const resultsAtOnce = 200;
const batchesAtOnce = 25;
const templatesAtOnce = 100;
const fontsAtOnce = 100;
const dictionariesAtOnce = 100;

/** Removes expired idempotency keys of accounts and of operators. */
export async function expireKeys(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  for (const remove of [removeExpiredKeys, removeExpiredOperatorRequests])
    while ((await remove(deps.db, keysAtOnce)) === keysAtOnce && performance.now() < untilMs);
}

/** Removes the e-mail counters of past days. */
export async function expireEmailCounts(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  while ((await removeOldEmailCounts(deps.db, countsAtOnce)) === countsAtOnce && performance.now() < untilMs);
}

/** Removes expired documents, the object before its row so that a crash leaves the row to retry. */
export async function expireResults(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  await walk(deps, 'results', untilMs, async (after) => {
    const { results, next } = await findExpiredResults(deps.db, after, resultsAtOnce);
    const expired = await forEach(deps, results, async ({ id, objectKey, hasEmailFiles }) => {
      if (hasEmailFiles) await removeEmailFiles(deps.objects, objectKey);
      await deps.objects.remove([objectKey]);
      // failpoint: result-removed-before-row
      await markResultExpired(deps.db, id);
    });
    return { next, hadWork: expired > 0 };
  });
}

/** Removes the input and the files of expired batches, objects before the row. */
export async function expireBatches(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  await walk(deps, 'expired-batches', untilMs, async (after) => {
    const { expired, next } = await findExpiredBatches(deps.db, after, batchesAtOnce);
    const removed = await forEach(deps, expired, async ({ id, objectKeys }) => {
      await deps.objects.remove(objectKeys);
      // failpoint: batch-removed-before-row
      await markBatchExpired(deps.db, id);
    });
    return { next, hadWork: removed > 0 };
  });
}

/** Removes the files of deleted templates that no unfinished document needs. */
export async function purgeTemplates(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  await walk(deps, 'templates', untilMs, async (after) => {
    const { templates, next } = await findPurgeableTemplates(deps.db, after, templatesAtOnce);
    const purged = await forEach(deps, templates, async ({ id, objectKeys }) => {
      await deps.objects.remove(objectKeys);
      await purgeTemplate(deps.db, id);
    });
    return { next, hadWork: purged > 0 };
  });
}

/** Removes the files of deleted fonts that no unfinished document needs. */
export async function purgeFonts(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  await walk(deps, 'fonts', untilMs, async (after) => {
    const { fonts, next } = await findPurgeableFonts(deps.db, after, fontsAtOnce);
    const purged = await forEach(deps, fonts, async ({ id, objectKey }) => {
      await deps.objects.remove([objectKey]);
      await purgeFont(deps.db, id);
    });
    return { next, hadWork: purged > 0 };
  });
}

/** Removes the words of replaced dictionaries that no unfinished document needs. */
export async function removeDictionaries(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  while ((await purgeDictionaries(deps.db, dictionariesAtOnce)) === dictionariesAtOnce && performance.now() < untilMs);
}
