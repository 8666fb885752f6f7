import { fairQueueNames } from '../../shared/queue/contracts.ts';
import type { WorkerDeps } from '../deps.ts';

/** A worker needs a few tickets at a time; the next sweep adds more. */
const maxTickets = 1_000;

/** Adds the tickets of fair queues that a crash lost. */
export async function recoverTickets({ queues, logger }: Pick<WorkerDeps, 'queues' | 'logger'>): Promise<void> {
  for (const name of fairQueueNames) {
    const missing = Math.min(await queues.fair(name).repair(), maxTickets);
    if (missing === 0) continue;
    await queues.addTickets(name, missing);
    logger.info({ queue: name, tickets: missing }, 'tickets that were missing were added');
  }
}
