import { Queue, Worker } from 'bullmq';
import type { Redis } from './redis.ts';

/**
 * Adds one job to a queue of its own, takes it as a worker does, and removes the queue. Rejects with the refusal of
 * Redis if a right is missing. `prefix` must be new, because two runs at a time would take each other's jobs.
 */
export async function runTrialJob(commands: Redis, blocking: Redis, prefix: string): Promise<void> {
  const queue = new Queue('trial', { prefix, connection: commands, skipWaitingForReady: true });
  const worker = new Worker('trial', async () => undefined, { prefix, connection: blocking });
  try {
    const taken = new Promise<void>((resolve, reject) => {
      worker.once('completed', () => resolve());
      worker.on('error', reject);
      queue.on('error', reject);
    });
    await Promise.all([taken, queue.add('job', {})]);
    // A worker that finds a job at once does not block, as one that waits for a job does.
    await blocking.bzpopmin(queue.toKey('marker'), 0.01);
  } finally {
    await queue.obliterate({ force: true }).catch(() => undefined);
    await worker.close(true).catch(() => undefined);
  }
}
