import { Gauge, type Registry } from 'prom-client';
import { queueNames } from '../config/worker-variables.ts';
import { queueKey } from '../queue/contracts.ts';
import type { QueueStats, Queues } from '../queue/queues.ts';
import type { Pauses } from '../watch-pauses.ts';

type CountedQueues = Pick<Queues, 'stats' | 'listEngines'>;
type Counted = readonly (readonly [queue: string, stats: QueueStats])[];

/**
 * `docmill_queue_jobs` by queue and state, and `docmill_queue_oldest_job_age_seconds`, which is 0 if no job waits. Both
 * are read on each scrape, and absent while Redis is unreachable. `docmill_queue_paused` and `docmill_accounts_paused`
 * show what the operator has paused. They describe the whole service, so every API process reports the same values.
 */
export function watchQueues(
  registry: Registry,
  queues: CountedQueues,
  pauses: Pick<Pauses, 'isQueuePaused' | 'accounts'>,
): void {
  let current: Promise<Counted> | undefined;
  // Both metrics are collected together and share one read.
  const count = (): Promise<Counted> => {
    current ??= countAll(queues).finally(() => {
      current = undefined;
    });
    return current;
  };
  new Gauge({
    name: 'docmill_queue_jobs',
    help: 'Jobs in the queues of the whole service.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      const counted = await count();
      this.reset();
      for (const [queue, { waiting, active, delayed }] of counted) {
        this.set({ queue, state: 'waiting' }, waiting);
        this.set({ queue, state: 'active' }, active);
        this.set({ queue, state: 'delayed' }, delayed);
      }
    },
  });
  new Gauge({
    name: 'docmill_queue_oldest_job_age_seconds',
    help: 'Age of the oldest waiting job.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      const counted = await count();
      this.reset();
      for (const [queue, { ageMs }] of counted) this.set({ queue }, ageMs / 1_000);
    },
  });
  new Gauge({
    name: 'docmill_queue_paused',
    help: '1 while the operator has paused the queue.',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const queue of queueNames) this.set({ queue }, pauses.isQueuePaused(queue) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'docmill_accounts_paused',
    help: 'Accounts that the operator has paused.',
    registers: [registry],
    collect() {
      this.set(pauses.accounts().size);
    },
  });
}

async function countAll(queues: CountedQueues): Promise<Counted> {
  try {
    const engines = await queues.listEngines();
    const pinned = engines.flatMap((engine) => (['pdf', 'pdf-batch'] as const).map((name) => [name, engine] as const));
    const all = [...queueNames.map((name) => [name, undefined] as const), ...pinned];
    return await Promise.all(
      all.map(async ([name, engine]) => [queueKey(name, engine), await queues.stats(name, engine)] as const),
    );
  } catch {
    return [];
  }
}
