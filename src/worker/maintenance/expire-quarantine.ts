import { expireConversionFailures } from '../../shared/domain/conversion-failures.ts';
import type { WorkerDeps } from '../deps.ts';

const rowsAtOnce = 100;

/** Ends old quarantines and removes the customer files kept for them, until `untilMs`. */
export async function expireQuarantine(deps: WorkerDeps, untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    const { QUARANTINE_TTL_SECONDS: ttlSeconds } = deps.config;
    const { expired, evidenceKeys } = await expireConversionFailures(deps.db, ttlSeconds, rowsAtOnce);
    if (evidenceKeys.length > 0) await deps.objects.remove(evidenceKeys);
    if (expired < rowsAtOnce) return;
  }
}
