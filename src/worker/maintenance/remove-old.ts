import { readClock } from '../../shared/db/read-clock.ts';
import { findOldBatches, removeOldBatch } from '../../shared/domain/retention/remove-old-batches.ts';
import { removeOldUsageDays } from '../../shared/domain/retention/remove-old-usage.ts';
import type { WorkerDeps } from '../deps.ts';
import { forEach } from './for-each.ts';
import { dayMs, retentionDays } from './retention-days.ts';
import { walk } from './walk.ts';

const batchesAtOnce = 25;
const rowsAtOnce = 2_000;
const accountsAtOnce = 100;

/** Removes batches past their retention, with the list of their rows. */
export async function removeOldBatches(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  const { batches: days } = retentionDays(deps.config);
  if (days === Number.POSITIVE_INFINITY) return;
  const cutoff = new Date((await readClock(deps.db)).getTime() - days * dayMs);
  await walk(deps, 'old-batches', untilMs, async (after) => {
    const { ids, next } = await findOldBatches(deps.db, after, { cutoff, limit: batchesAtOnce });
    const removed = await forEach(
      deps,
      ids.map((id) => ({ id })),
      async ({ id }) => {
        while (performance.now() < untilMs && !(await removeOldBatch(deps.db, id, { cutoff, limit: rowsAtOnce })));
      },
    );
    return { next, hadWork: removed > 0 };
  });
}

/** Removes usage by day, template and key past its retention. */
export async function removeOldUsage(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  const days = deps.config.RETENTION_USAGE_DAYS;
  if (days === 0) return;
  await walk(deps, 'old-usage', untilMs, async (after) => {
    const { removed, next } = await removeOldUsageDays(deps.db, after, { days, limit: accountsAtOnce });
    return { next, hadWork: removed > 0 };
  });
}
