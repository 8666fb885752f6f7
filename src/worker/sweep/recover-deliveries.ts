import { endLostDeliveries, findDueDeliveries } from '../../shared/domain/deliveries/sweep-deliveries.ts';
import { newId } from '../../shared/ids.ts';
import type { WorkerDeps } from '../context.ts';

const batchSize = 500;

/** Ends what nobody can know any more, and queues every delivery that is due; the claim on the row keeps it single. */
export async function recoverDeliveries(deps: WorkerDeps): Promise<void> {
  for (const id of await endLostDeliveries(deps.db)) {
    deps.logger.warn({ deliveryId: id }, 'a delivery ended unknown: its worker was lost while it was handed over');
  }
  for (const deliveryId of await findDueDeliveries(deps.db, batchSize)) {
    await deps.queues.add('mail', newId('req'), { deliveryId });
  }
}
