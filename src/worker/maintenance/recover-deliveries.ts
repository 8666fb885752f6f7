import {
  endLostDeliveries,
  endUndeliverableEmails,
  findDueDeliveries,
} from '../../shared/domain/deliveries/sweep-deliveries.ts';
import type { WorkerDeps } from '../deps.ts';

const batchSize = 500;

/**
 * Ends deliveries whose outcome is lost or that cannot succeed, and enqueues all due deliveries. Each delivery has one job id,
 * so that a stopped queue does not fill up. The claim on the row prevents sending twice.
 */
export async function recoverDeliveries(deps: WorkerDeps): Promise<void> {
  for (const id of await endLostDeliveries(deps.db)) {
    deps.logger.warn({ deliveryId: id }, 'a delivery ended as unknown: its worker was lost during transmission');
  }
  for (const id of await endUndeliverableEmails(deps.db, deps.config.MAIL_ATTEMPTS)) {
    deps.logger.warn({ deliveryId: id }, 'a delivery failed: it has no attempts left');
  }
  for (const deliveryId of await findDueDeliveries(deps.db, batchSize)) {
    await deps.queues.add('mail', `${deliveryId}.due`, { deliveryId });
  }
}
