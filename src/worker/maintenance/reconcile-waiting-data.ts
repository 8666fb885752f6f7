import type { WorkerDeps } from '../deps.ts';

/** An API reserves memory, then accepts the document in the database, then stores its data: two time limits of the database. */
const graceMs = 60_000;

/** Waiting data that expired, or that a process reserved before it died, no longer count against the limits. */
export const reconcileWaitingData = ({ transient }: WorkerDeps, untilMs: number): Promise<void> =>
  transient.reconcile({ untilMs, graceMs });
