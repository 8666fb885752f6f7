import { renewLease } from '../../shared/domain/deliveries/renew-lease.ts';
import type { WorkerDeps } from '../context.ts';

/** Keeps a claimed delivery from others for as long as its message takes; `end` lets the lease run out. */
export function keepLease(
  deps: Pick<WorkerDeps, 'db' | 'logger'>,
  attempt: { readonly id: string; readonly attemptToken: string },
  leaseMs: number,
): { end(): void } {
  const timer = setInterval(() => {
    renewLease(deps.db, attempt, leaseMs).catch((error: unknown) =>
      deps.logger.warn({ err: error, deliveryId: attempt.id }, 'the lease of a delivery could not be renewed'),
    );
  }, leaseMs / 3);
  return { end: () => clearInterval(timer) };
}
