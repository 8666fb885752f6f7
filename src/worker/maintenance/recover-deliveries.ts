import {
  endLostDeliveries,
  endUndeliverableEmails,
  findDueDeliveries,
  findLeftDeliveries,
} from '../../shared/domain/deliveries/sweep-deliveries.ts';
import type { WorkerDeps } from '../deps.ts';
import { walk } from './walk.ts';

const pageSize = 200;

/**
 * Ends deliveries whose outcome is lost or that cannot succeed, and enqueues due deliveries. Each delivery has one job id,
 * so that a stopped queue does not fill up. The claim on the row prevents sending twice.
 */
export async function recoverDeliveries(deps: WorkerDeps, untilMs = Number.POSITIVE_INFINITY): Promise<void> {
  for (const id of await endLostDeliveries(deps.db)) {
    deps.logger.warn({ deliveryId: id }, 'a delivery ended as unknown: its worker was lost during transmission');
  }
  await continueDeliveries(deps, await findLeftDeliveries(deps.db, pageSize));
  await walk(deps, 'deliveries', untilMs, async (after) => {
    const { ids, next } = await findDueDeliveries(deps.db, after, pageSize);
    return { next, hadWork: (await continueDeliveries(deps, ids)) > 0 };
  });
}

/** Returns how many of them had no job. */
async function continueDeliveries(deps: WorkerDeps, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const ended = new Set(await endUndeliverableEmails(deps.db, ids, deps.config.MAIL_ATTEMPTS));
  for (const id of ended) deps.logger.warn({ deliveryId: id }, 'a delivery failed: it cannot be attempted again');
  const open = ids.filter((id) => !ended.has(id));
  const jobIds = new Map(open.map((deliveryId) => [`${deliveryId}.due`, deliveryId]));
  const missing = await deps.queues.findMissing('mail', [...jobIds.keys()]);
  await deps.queues.addMany(
    'mail',
    missing.map((jobId) => ({ jobId, payload: { deliveryId: jobIds.get(jobId) ?? '' } })),
  );
  return ended.size + missing.length;
}
