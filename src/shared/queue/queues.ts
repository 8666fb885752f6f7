import { type JobsOptions, Queue } from 'bullmq';
import { type QueueName, queueNames } from '../config/worker-variables.ts';
import type { Logger } from '../logger.ts';
import {
  bullPrefix,
  type FairQueueName,
  fairQueueNames,
  isFair,
  type JobPayload,
  queueContracts,
} from './contracts.ts';
import { guardedRedis } from './errors.ts';
import { createFairQueue, type FairQueue } from './fair/fair-queue.ts';
import { keepsOrder, type Redis } from './redis.ts';

export interface QueueStats {
  readonly waiting: number;
  readonly active: number;
  /** Waiting for a retry or a scheduled time. */
  readonly delayed: number;
  /** Age of the oldest waiting job in milliseconds; 0 when none waits. */
  readonly ageMs: number;
}

export interface Queues {
  /**
   * Adds a job. Does nothing if a job with this id is waiting or running. In a fair queue the job waits among those of
   * its account, and a ticket is added, with which a worker takes the job whose account is next.
   */
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
  /** Those of the ids that have no waiting or running job, in two round trips at most. The ids must differ. */
  findMissing(name: QueueName, jobIds: readonly string[]): Promise<readonly string[]>;
  /** Who waits in a fair queue, and who is next. */
  fair(name: FairQueueName): FairQueue;
  /** Adds tickets to a fair queue. More tickets than jobs do no harm. */
  addTickets(name: FairQueueName, count: number): Promise<void>;
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
  const fairQueues = new Map(
    fairQueueNames.map((name) => [name, createFairQueue(connection, prefix, name, find(name).toKey)] as const),
  );
  const findFair = (name: FairQueueName): FairQueue => {
    const queue = fairQueues.get(name);
    if (queue === undefined) throw new Error(`no fair queue ${name}`);
    return queue;
  };
  const addTickets = async (name: FairQueueName, count: number): Promise<void> => {
    const ticket = { name: 'ticket', data: {}, opts: queueContracts[name].options };
    await guardedRedis(() => find(name).addBulk(Array.from({ length: count }, () => ticket)));
  };
  /** A worker that gets a ticket must find the entry, so the entry comes first. */
  const enqueue = async (name: FairQueueName, jobs: readonly FairJob[]): Promise<void> => {
    const queue = findFair(name);
    const entered = Promise.all(
      jobs.map(({ jobId, payload }) => queue.enqueue({ id: jobId, accountId: payload.accountId, payload })),
    );
    // A single server runs commands in the order sent; a cluster may not.
    if (!keepsOrder(connection)) await entered;
    const [areLate] = await Promise.all([entered, addTickets(name, jobs.length)]);
    const late = areLate.filter((isLate) => isLate).length;
    if (late > 0) await addTickets(name, late);
  };
  // Ended jobs are removed, so the key of a job exists while it lives. BullMQ's own question reads the whole waiting list.
  const areLive = async (name: QueueName, ids: readonly string[]): Promise<readonly boolean[]> => {
    if (isFair(name)) return await findFair(name).areLive(ids);
    const keys = ids.map((id) => find(name).toKey(id));
    if (keys.length === 0) return [];
    // Usually all live, or the only one does not, and one command says so.
    const liveCount = await guardedRedis(() => connection.exists(...keys));
    if (liveCount === 0 || liveCount === keys.length) return ids.map(() => liveCount > 0);
    return await guardedRedis(() => Promise.all(keys.map(async (key) => (await connection.exists(key)) === 1)));
  };
  return {
    fair: findFair,
    addTickets,
    async add(name, jobId, payload, options) {
      if (isFair(name)) return await enqueue(name, [{ jobId, payload: payload as FairJob['payload'] }]);
      await guardedRedis(() => find(name).add(name, payload, { ...queueContracts[name].options, ...options, jobId }));
    },
    async addMany(name, jobs) {
      if (isFair(name)) return await enqueue(name, jobs as readonly FairJob[]);
      const bulk = jobs.map(({ jobId, payload }) => ({
        name,
        data: payload,
        opts: { ...queueContracts[name].options, jobId },
      }));
      await guardedRedis(() => find(name).addBulk(bulk));
    },
    has: async (name, jobId) => (await areLive(name, [jobId]))[0] === true,
    async findMissing(name, jobIds) {
      const live = await areLive(name, jobIds);
      return jobIds.filter((_, index) => live[index] !== true);
    },
    stats: (name) =>
      guardedRedis(async () => {
        const queue = find(name);
        if (isFair(name)) {
          const [{ depth, ageMs, assigned }, delayed] = await Promise.all([
            findFair(name).backlog(''),
            queue.getDelayedCount(),
          ]);
          return { waiting: depth, active: Math.max(0, assigned - delayed), delayed, ageMs };
        }
        const [counts, ageMs] = await Promise.all([
          queue.getJobCounts('waiting', 'active', 'delayed'),
          oldestAgeMs(queue),
        ]);
        const { waiting = 0, active = 0, delayed = 0 } = counts;
        return { waiting, active, delayed, ageMs };
      }),
    countWaiting: async (name) =>
      isFair(name) ? (await findFair(name).backlog('')).depth : await guardedRedis(() => find(name).getWaitingCount()),
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

interface FairJob {
  readonly jobId: string;
  readonly payload: JobPayload<FairQueueName>;
}

async function oldestAgeMs(queue: Queue): Promise<number> {
  const [oldest] = await queue.getJobs('waiting', 0, 0, true);
  return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.timestamp);
}
