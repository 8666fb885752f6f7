import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { WorkerDeps } from '../context.ts';
import { expireBatches } from '../sweep/expire-batches.ts';
import { expireResults } from '../sweep/expire-results.ts';
import { purgeTemplates } from '../sweep/purge-templates.ts';
import { recoverBatches } from '../sweep/recover-batches.ts';
import { recoverBundles } from '../sweep/recover-bundles.ts';
import { recoverDeliveries } from '../sweep/recover-deliveries.ts';
import { recoverGenerations } from '../sweep/recover-generations.ts';
import { recoverWebhooks } from '../sweep/recover-webhooks.ts';
import { removeStrays } from '../sweep/remove-strays.ts';

const steps = {
  sweep: [
    recoverGenerations,
    recoverBatches,
    recoverBundles,
    recoverDeliveries,
    recoverWebhooks,
    expireResults,
    expireBatches,
    purgeTemplates,
  ],
  strays: [removeStrays],
} as const;

/** Repairs what crashes left and removes what has expired. Safe to run twice, also side by side. */
export async function processMaintenance(deps: WorkerDeps, payload: JobPayload<'maintenance'>): Promise<void> {
  for (const step of steps[payload.task]) {
    try {
      await step(deps);
    } catch (error) {
      deps.logger.warn({ err: error, step: step.name }, 'a sweep stopped early; the next one goes on');
    }
  }
}
