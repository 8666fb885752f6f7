import { readInstallation } from '../../shared/domain/installation.ts';
import { findOrphanedKeys, objectFolders } from '../../shared/domain/orphaned-objects.ts';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../deps.ts';

/** A larger share of orphans among the listed objects indicates missing rows rather than crashed processes. */
const maxShare = 0.1;
/** Always allowed, because a share is meaningless for few objects. */
const minLimit = 10;

/**
 * Removes objects without a row, left by a crash between the two writes. Keeps recent ones, whose row may still be
 * written. Checks as many objects as the time allows, at least one page of each kind, and the next run continues there,
 * so that the cost of a run does not depend on the number of objects.
 *
 * Removes nothing if there are more orphans than crashes leave behind, because the database is then probably another or
 * an older one. The next run checks the same objects again.
 */
export async function removeOrphanedObjects(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  const { db, redis, logger, objects, metrics, config } = deps;
  await deps.bucket.verify();
  const { removalsHeldAt } = await readInstallation(db);
  if (removalsHeldAt !== null) {
    metrics.orphanSweep('kept');
    logger.warn({ since: removalsHeldAt }, 'orphaned objects are kept until the operator runs admin remove-orphans');
    return;
  }
  const maxOrphans = config.ORPHAN_REMOVAL_LIMIT;
  const found = { listed: 0, orphans: [] as string[], ends: new Map<string, string>() };
  for (const folder of objectFolders) {
    await findOrphansOf(deps, folder, found, { untilMs, maxOrphans });
    if (found.orphans.length > maxOrphans) break;
  }
  const { listed, orphans, ends } = found;
  const limit = Math.min(maxOrphans, Math.max(minLimit, Math.floor(listed * maxShare)));
  if (orphans.length > limit) {
    metrics.orphanSweep('kept');
    logger.error(
      { orphans: orphans.length, listed, limit, example: orphans[0] },
      'too many objects have no row in this database, so none was removed: see the runbook DocmillOrphansKept',
    );
    return;
  }
  if (orphans.length > 0) {
    await objects.remove(orphans);
    metrics.orphansRemoved(orphans.length);
    logger.warn({ objects: orphans.length, listed, example: orphans[0] }, 'orphaned objects were removed');
  }
  metrics.orphanSweep('done');
  for (const folder of objectFolders) {
    const end = ends.get(folder);
    const cursor = cursorOf(deps, folder);
    await guardedRedis<unknown>(() => (end === undefined ? redis.unlink(cursor) : redis.set(cursor, end)));
  }
}

const cursorOf = ({ config }: WorkerDeps, folder: string): string => `${config.QUEUE_PREFIX}:sweep:orphans:${folder}`;

interface Found {
  listed: number;
  readonly orphans: string[];
  /** Where the next run continues in folders that this run did not finish. */
  readonly ends: Map<string, string>;
}

async function findOrphansOf(
  deps: WorkerDeps,
  folder: string,
  found: Found,
  { untilMs, maxOrphans }: { readonly untilMs: number; readonly maxOrphans: number },
): Promise<void> {
  const { redis, config, db, objects } = deps;
  const after = (await guardedRedis(() => redis.get(cursorOf(deps, folder)))) ?? undefined;
  for await (const page of objects.list(folder, after)) {
    found.listed += page.length;
    found.orphans.push(...(await findOrphanedKeys(db, page, config.ORPHAN_AGE_SECONDS)));
    if (found.orphans.length > maxOrphans) return;
    const last = page.at(-1);
    if (last !== undefined && performance.now() > untilMs) {
      found.ends.set(folder, last.key);
      return;
    }
  }
}
