import {
  endHopelessDeliveries,
  endLostDeliveries,
  findDueDeliveries,
} from '../../shared/domain/deliveries/sweep-deliveries.ts';
import type { WorkerDeps } from '../deps.ts';

const batchSize = 500;

/**
 * Ends what cannot be known or completed any more, and queues every delivery that is due. The job has one name for each
 * delivery, so that a lane that stands still does not fill up; the claim on the row keeps the sending single.
 */
export async function recoverDeliveries(deps: WorkerDeps): Promise<void> {
  for (const id of await endLostDeliveries(deps.db)) {
    deps.logger.warn({ deliveryId: id }, 'a delivery ended unknown: its worker was lost while it was handed over');
  }
  for (const id of await endHopelessDeliveries(deps.db, deps.config.MAIL_ATTEMPTS)) {
    deps.logger.warn({ deliveryId: id }, 'a delivery ended failed: it cannot be completed any more');
  }
  for (const deliveryId of await findDueDeliveries(deps.db, batchSize)) {
    await deps.queues.add('mail', `${deliveryId}.due`, { deliveryId });
  }
}
