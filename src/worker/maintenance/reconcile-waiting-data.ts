import type { WorkerDeps } from '../deps.ts';

/**
 * Covers two database timeouts, because an API reserves memory, accepts the document in the database, and then stores
 * its data.
 */
const graceMs = 60_000;

/** Releases limits held by waiting data that expired, or that a process reserved before it died. */
export const reconcileWaitingData = ({ transient }: WorkerDeps, untilMs: number): Promise<void> =>
  transient.reconcile({ untilMs, graceMs });
