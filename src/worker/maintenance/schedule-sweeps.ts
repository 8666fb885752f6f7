import type { WorkerConfig } from '../../shared/config/load-config.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Queues } from '../../shared/queue/queues.ts';

const maxIntervalMs = 15_000;

/** Schedules the sweeps, repeatedly, because only the sweeps recover from data loss in Redis. */
export async function scheduleSweeps(
  queues: Queues,
  config: WorkerConfig,
  logger: Logger,
): Promise<{ stop(): void } | undefined> {
  if (!config.WORKER_QUEUES.includes('maintenance')) return undefined;
  const schedule = async (): Promise<void> => {
    await queues.schedule('sweep', config.SWEEP_INTERVAL_MS);
    await queues.schedule('orphans', config.ORPHAN_SWEEP_INTERVAL_MS);
    await queues.schedule('retention', config.RETENTION_INTERVAL_MS);
  };
  await schedule();
  const timer = setInterval(
    () => void schedule().catch((error: unknown) => logger.warn({ err: error }, 'the sweeps could not be scheduled')),
    Math.min(config.SWEEP_INTERVAL_MS, maxIntervalMs),
  );
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
