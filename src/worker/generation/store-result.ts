import { hash } from 'node:crypto';
import type { ClaimedGeneration, ResultLocation } from '../../shared/domain/generations/generation-record.ts';
import { contentTypeOf } from '../../shared/storage/media-types.ts';
import type { WorkerDeps } from '../deps.ts';

const minTransientSeconds = 300;
const lateMarginMs = 2_000;

/**
 * Stores the finished bytes: in Redis for a waiting caller, in the file store if they must be kept, are large, find no memory, or are so
 * late that the caller may have timed out. The key contains the attempt, so that attempts never share one.
 */
export async function storeResult(
  deps: WorkerDeps,
  generation: ClaimedGeneration,
  bytes: Uint8Array,
): Promise<ResultLocation> {
  const { config } = deps;
  const checksum = hash('sha256', bytes, 'hex');
  const isLate =
    generation.queueMs + (performance.now() - generation.claimedAtMs) > config.WAIT_LIMIT_MS - lateMarginMs;
  const mustLast = generation.isKept || isLate || bytes.length > config.RESULT_INLINE_MAX_BYTES;
  const transientKey = `${generation.id}.${generation.attemptToken}`;
  const transient = deps.transient.of(generation.accountId);
  if (mustLast || !(await transient.tryReserve('result', transientKey, bytes.length))) {
    const key = `results/${generation.accountId}/${generation.id}/${generation.attemptToken}.${generation.format}`;
    await deps.objects.put(key, bytes, contentTypeOf(generation.format));
    return { store: 'object', key, sizeBytes: bytes.length, checksum };
  }
  const ttlSeconds = Math.max(minTransientSeconds, Math.ceil((config.WAIT_LIMIT_MS * 2) / 1_000));
  await deps.transient.put('result', transientKey, bytes, ttlSeconds);
  return { store: 'redis', key: transientKey, sizeBytes: bytes.length, checksum };
}

/** Removes the bytes of an attempt that was fenced off. */
export async function discardResult(deps: WorkerDeps, accountId: string, result: ResultLocation): Promise<void> {
  if (result.store === 'redis') {
    deps.transient.of(accountId).forget('result', result.key, result.sizeBytes);
    return;
  }
  await deps.objects
    .remove([result.key])
    .catch((error: unknown) =>
      deps.logger.warn(
        { err: error, key: result.key },
        'the result of a stale attempt was not removed; the sweep removes it',
      ),
    );
}
