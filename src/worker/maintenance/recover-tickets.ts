import { type FairQueueName, fairQueueNames, type PinnedEngine, queueKey } from '../../shared/queue/contracts.ts';
import type { WorkerDeps } from '../deps.ts';

/** Adds the tickets of fair queues that a crash lost. */
export async function recoverTickets({ queues, logger }: Pick<WorkerDeps, 'queues' | 'logger'>): Promise<void> {
  const engines = await queues.listEngines();
  const all: readonly (readonly [FairQueueName, PinnedEngine])[] = [
    ...fairQueueNames.map((name) => [name, undefined] as const),
    ...engines.map((engine) => ['pdf', engine] as const),
  ];
  for (const [name, engine] of all) {
    const missing = await queues.fair(name, engine).repair();
    if (missing === 0) continue;
    await queues.addTickets(name, missing, engine);
    logger.info({ queue: queueKey(name, engine), tickets: missing }, 'missing tickets were added');
  }
}
