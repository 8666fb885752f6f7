import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { WorkerDeps } from '../deps.ts';
import { recoverBatches, recoverBundles } from '../maintenance/recover-batches.ts';
import { recoverDeliveries } from '../maintenance/recover-deliveries.ts';
import { recoverGenerations } from '../maintenance/recover-generations.ts';
import { recoverTickets } from '../maintenance/recover-tickets.ts';
import { recoverWebhooks } from '../maintenance/recover-webhooks.ts';
import { expireBatches, expireResults, purgeTemplates } from '../maintenance/remove-expired.ts';
import { removeOrphanedObjects } from '../maintenance/remove-orphaned-objects.ts';

const steps = {
  sweep: [
    recoverGenerations,
    recoverTickets,
    recoverBatches,
    recoverBundles,
    recoverDeliveries,
    recoverWebhooks,
    expireResults,
    expireBatches,
    purgeTemplates,
  ],
  orphans: [removeOrphanedObjects],
} as const;

/** Recovers from crashes and removes expired data. Safe to run repeatedly and concurrently. */
export async function processMaintenance(deps: WorkerDeps, payload: JobPayload<'maintenance'>): Promise<void> {
  for (const step of steps[payload.task]) {
    try {
      await step(deps);
    } catch (error) {
      deps.logger.warn({ err: error, step: step.name }, 'a sweep step stopped early; the next sweep continues');
    }
  }
}
