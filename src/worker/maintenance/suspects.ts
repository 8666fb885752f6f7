import type { OutputFormat } from '../../shared/domain/documents/document-record.ts';
import { bullPrefix } from '../../shared/queue/contracts.ts';
import { guardedRedis } from '../../shared/queue/errors.ts';
import type { WorkerDeps } from '../deps.ts';

type SuspectDeps = Pick<WorkerDeps, 'redis' | 'config'>;

/** Entries expire only if no sweep has checked them for this long. */
const ttlSeconds = 86_400;

const keyOf = ({ config }: SuspectDeps, format: OutputFormat): string =>
  `${bullPrefix(config.QUEUE_PREFIX, format)}:sweep:suspects`;

/** Records a document whose job has failed: after the last run no job is left, so a sweep must check it. */
export async function addSuspect(deps: SuspectDeps, format: OutputFormat, documentId: string): Promise<void> {
  const key = keyOf(deps, format);
  await guardedRedis(() => deps.redis.multi().sadd(key, documentId).expire(key, ttlSeconds).exec());
}

/** Up to `limit` suspects. They stay recorded until they are forgotten, so that a sweep that dies loses none. */
export function findSuspects(deps: SuspectDeps, format: OutputFormat, limit: number): Promise<readonly string[]> {
  return guardedRedis(() => deps.redis.srandmember(keyOf(deps, format), limit));
}

/** Removes suspects that have ended. */
export async function forgetSuspects(
  deps: SuspectDeps,
  format: OutputFormat,
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return;
  await guardedRedis(() => deps.redis.srem(keyOf(deps, format), ...documentIds));
}
