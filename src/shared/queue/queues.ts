import { type JobsOptions, Queue } from 'bullmq';
import { type QueueName, queueNames } from '../config/worker-variables.ts';
import type { Logger } from '../logger.ts';
import { bullPrefix, type JobPayload, queueContracts } from './contracts.ts';
import { guardedRedis } from './errors.ts';
import type { Redis } from './redis.ts';

export interface QueueStats {
  readonly waiting: number;
  readonly active: number;
  /** Waiting for a retry or a scheduled time. */
  readonly delayed: number;
  /** Age of the oldest waiting job in milliseconds; 0 when none waits. */
  readonly ageMs: number;
}

export interface Queues {
  /** Adds a job. Does nothing if a job with this id is waiting or running. */
  add<Name extends QueueName>(
    name: Name,
    jobId: string,
    payload: JobPayload<Name>,
    options?: JobsOptions,
  ): Promise<void>;
  /** As `add`, for many jobs in one round trip. */
  addMany<Name extends QueueName>(
    name: Name,
    jobs: readonly { readonly jobId: string; readonly payload: JobPayload<Name> }[],
  ): Promise<void>;
  /** True while a job with this id is waiting or running. */
  has(name: QueueName, jobId: string): Promise<boolean>;
  /** Those of the ids that have no waiting or running job, in one round trip. */
  findMissing(name: QueueName, jobIds: readonly string[]): Promise<readonly string[]>;
  /** The number of waiting jobs, and the age of the oldest in milliseconds. */
  backlog(name: QueueName): Promise<{ readonly depth: number; readonly ageMs: number }>;
  /** The number of jobs by state, for metrics. */
  stats(name: QueueName): Promise<QueueStats>;
  /** The number of waiting jobs. */
  countWaiting(name: QueueName): Promise<number>;
  /** Schedules a maintenance task at an interval, shared by all processes. */
  schedule(task: JobPayload<'maintenance'>['task'], everyMs: number): Promise<void>;
  close(): Promise<void>;
}

export function createQueues(connection: Redis, prefix: string, logger: Logger): Queues {
  const queues = new Map(
    queueNames.map((name) => {
      const queue = new Queue(name, {
        connection,
        prefix: bullPrefix(prefix, name),
        skipWaitingForReady: true,
        skipMetasUpdate: true,
        // The check breaks the queue permanently if the connection is lost meanwhile. Workers do check.
        skipVersionCheck: true,
      });
      queue.on('error', (error) => logger.warn({ err: error, queue: name }, 'queue error'));
      return [name, queue] as const;
    }),
  );
  const find = (name: QueueName): Queue => {
    const queue = queues.get(name);
    if (queue === undefined) throw new Error(`no queue ${name}`);
    return queue;
  };
  return {
    async add(name, jobId, payload, options) {
      await guardedRedis(() => find(name).add(name, payload, { ...queueContracts[name].options, ...options, jobId }));
    },
    async addMany(name, jobs) {
      const bulk = jobs.map(({ jobId, payload }) => ({
        name,
        data: payload,
        opts: { ...queueContracts[name].options, jobId },
      }));
      await guardedRedis(() => find(name).addBulk(bulk));
    },
    has: (name, jobId) =>
      // Ended jobs are removed, so the key of a job exists while it lives. BullMQ's own question reads the whole
      // waiting list.
      guardedRedis(async () => (await connection.exists(find(name).toKey(jobId))) === 1),
    async findMissing(name, jobIds) {
      const queue = find(name);
      const found = await guardedRedis(() => Promise.all(jobIds.map((id) => connection.exists(queue.toKey(id)))));
      return jobIds.filter((_, index) => found[index] === 0);
    },
    backlog: (name) =>
      guardedRedis(async () => {
        const queue = find(name);
        const [depth, ageMs] = await Promise.all([queue.getWaitingCount(), oldestAgeMs(queue)]);
        return { depth, ageMs };
      }),
    stats: (name) =>
      guardedRedis(async () => {
        const queue = find(name);
        const [counts, ageMs] = await Promise.all([
          queue.getJobCounts('waiting', 'active', 'delayed'),
          oldestAgeMs(queue),
        ]);
        const { waiting = 0, active = 0, delayed = 0 } = counts;
        return { waiting, active, delayed, ageMs };
      }),
    countWaiting: (name) => guardedRedis(() => find(name).getWaitingCount()),
    async schedule(task, everyMs) {
      await guardedRedis(async () => {
        const queue = find('maintenance');
        if ((await queue.getJobScheduler(task))?.every === everyMs) return;
        const template = { name: task, data: { task }, opts: queueContracts.maintenance.options };
        await queue.upsertJobScheduler(task, { every: everyMs }, template);
      });
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

async function oldestAgeMs(queue: Queue): Promise<number> {
  const [oldest] = await queue.getJobs('waiting', 0, 0, true);
  return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.timestamp);
}
