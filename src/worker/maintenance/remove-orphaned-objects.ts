import { findOrphanedKeys } from '../../shared/domain/orphaned-objects.ts';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../deps.ts';

const prefixes = ['templates/', 'results/', 'assets/', 'fonts/', 'batches/', 'quarantine/'] as const;

/**
 * Removes objects without a row, left by a crash between the two writes. Keeps recent ones, whose row may still be
 * written. Looks at as many objects as the time allows, at least one page of each kind, and continues there the next
 * time, so that the cost of a run does not depend on the number of objects.
 */
export async function removeOrphanedObjects(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  for (const prefix of prefixes) await removeOrphansOf(deps, prefix, untilMs);
}

async function removeOrphansOf(deps: WorkerDeps, prefix: string, untilMs: number): Promise<void> {
  const { redis, config, db, logger, objects } = deps;
  const cursor = `${config.QUEUE_PREFIX}:sweep:orphans:${prefix}`;
  const after = (await guardedRedis(() => redis.get(cursor))) ?? undefined;
  for await (const page of objects.list(prefix, after)) {
    const orphans = await findOrphanedKeys(db, page, config.ORPHAN_AGE_SECONDS);
    if (orphans.length > 0) {
      await objects.remove(orphans);
      logger.info({ prefix, objects: orphans.length }, 'orphaned objects were removed');
    }
    const last = page.at(-1);
    if (last !== undefined) await guardedRedis(() => redis.set(cursor, last.key));
    if (performance.now() > untilMs) return;
  }
  await guardedRedis(() => redis.unlink(cursor));
}
