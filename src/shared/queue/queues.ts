import { type JobsOptions, Queue } from 'bullmq';
import { type QueueName, queueNames } from '../config/worker-variables.ts';
import type { Logger } from '../logger.ts';
import { transientKey } from '../storage/transient.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createArrivalCounts } from './arrival-counts.ts';
import {
  bullPrefix,
  type FairQueueName,
  isFair,
  type JobPayload,
  type PinnedEngine,
  queueContracts,
  queueKey,
} from './contracts.ts';
import { createEngineList } from './engine-list.ts';
import { guardedRedis, isRedisOutage } from './errors.ts';
import { createFairQueue, type FairQueue } from './fair/fair-queue.ts';
import { createQueueTelemetry } from './queue-telemetry.ts';
import { keepsOrder, type Redis } from './redis.ts';

export interface QueueStats {
  readonly waiting: number;
  readonly active: number;
  /** Waiting for a retry or a scheduled time. */
  readonly delayed: number;
  /** Age of the oldest waiting job in milliseconds; 0 if none waits. */
  readonly ageMs: number;
}

export interface Queues {
  /**
   * Adds a job, unless one with this id is waiting or running. In a fair queue, the job is stored with its account's
   * entries, and a ticket is added if none comes anyway; a worker exchanges it for jobs of the accounts that are next.
   */
  add<Name extends QueueName>(
    name: Name,
    jobId: string,
    payload: JobPayload<Name>,
    options?: JobsOptions & { readonly engine?: PinnedEngine },
  ): Promise<void>;
  /** Like `add`, for many jobs in one round trip. */
  addMany<Name extends QueueName>(
    name: Name,
    jobs: readonly { readonly jobId: string; readonly payload: JobPayload<Name> }[],
    engine?: PinnedEngine,
  ): Promise<void>;
  /** Removes a waiting job. A job that a worker holds stays. */
  withdraw(name: QueueName, jobId: string, engine?: PinnedEngine): Promise<void>;
  /** Removes the waiting and delayed webhook jobs of an account. A job that a worker holds stays. */
  withdrawWebhooks(accountId: string): Promise<void>;
  /** The engines whose queues may hold jobs. */
  listEngines(): Promise<readonly string[]>;
  /** True while a job with this id is waiting or running. */
  has(name: QueueName, jobId: string): Promise<boolean>;
  /** The ids that have no waiting or running job in any engine's queue. The given ids must be distinct. */
  findMissing(name: QueueName, jobIds: readonly string[]): Promise<readonly string[]>;
  /** The waiting entries of a fair queue, and the order in which accounts are served. */
  fair(name: FairQueueName, engine?: PinnedEngine): FairQueue;
  /** Adds tickets to a fair queue. Surplus tickets are harmless. */
  addTickets(name: FairQueueName, count: number, engine?: PinnedEngine): Promise<void>;
  /** The number of jobs by state, for metrics. */
  stats(name: QueueName, engine?: PinnedEngine): Promise<QueueStats>;
  /**
   * The number of jobs per minute in the last two minutes that no table records: uploads, e-mails, bundles and
   * previews. Counts what `add` adds, but not `addMany`, nor jobs with a delay, which are retries.
   */
  arrivalsPerMinute(name: QueueName, engine?: PinnedEngine): Promise<number>;
  /** The number of waiting jobs. */
  countWaiting(name: QueueName): Promise<number>;
  /** Schedules a maintenance task at an interval, shared by all processes. */
  schedule(task: JobPayload<'maintenance'>['task'], everyMs: number): Promise<void>;
  close(): Promise<void>;
}

export function createQueues(connection: Redis, prefix: string, logger: Logger, tracing?: Tracing): Queues {
  const queues = new Map<string, Queue>();
  const open = (name: QueueName, engine?: PinnedEngine): Queue => {
    const key = queueKey(name, engine);
    const opened = queues.get(key);
    if (opened !== undefined) return opened;
    const queue = new Queue(key, {
      connection,
      prefix: bullPrefix(prefix, key),
      skipWaitingForReady: true,
      skipMetasUpdate: true,
      // The check breaks the queue permanently if the connection is lost in the meantime. Workers do check.
      skipVersionCheck: true,
      // The tickets of a fair queue represent no particular document, so they get no spans.
      ...(tracing !== undefined && !isFair(name) && { telemetry: createQueueTelemetry(tracing, key) }),
    });
    queue.on('error', (error) => logger.warn({ err: error, queue: key }, 'queue error'));
    queues.set(key, queue);
    return queue;
  };
  for (const name of queueNames) open(name);
  const fairQueues = new Map<string, FairQueue>();
  const findFair = (name: FairQueueName, engine?: PinnedEngine): FairQueue => {
    const key = queueKey(name, engine);
    const known = fairQueues.get(key);
    if (known !== undefined) return known;
    // Data may be on another node of a cluster than the queue.
    const hasData = name !== 'inspect' && keepsOrder(connection);
    const dataKeys = hasData ? transientKey(prefix, 'data', '') : undefined;
    const queue = createFairQueue(connection, prefix, name, { ticketKey: open(name, engine).toKey, dataKeys, engine });
    fairQueues.set(key, queue);
    return queue;
  };
  const engines = createEngineList(connection, prefix);
  const arrivals = createArrivalCounts(connection, prefix);
  const addTickets = async (name: FairQueueName, count: number, engine?: PinnedEngine): Promise<void> => {
    const queue = open(name, engine);
    const { options } = queueContracts[name];
    // `addBulk` would send a transaction, for which ioredis copies all scripts of BullMQ.
    const add = (): Promise<unknown> => queue.add('ticket', {}, options);
    await guardedRedis(() => Promise.all(Array.from({ length: count }, add)));
  };
  const enqueue = async (name: FairQueueName, jobs: readonly FairJob[], engine: PinnedEngine): Promise<void> => {
    const queue = findFair(name, engine);
    const areMissing = await Promise.all(
      jobs.map(({ jobId, payload }) => queue.enqueue({ id: jobId, accountId: payload.accountId, payload })),
    );
    // failpoint: entered-before-ticket
    if (areMissing.includes(true)) await addTickets(name, 1, engine);
  };
  // Ended jobs are removed, so a job is live if its key exists. BullMQ's own check reads the whole waiting list.
  const areLive = async (
    name: QueueName,
    ids: readonly string[],
    engine?: PinnedEngine,
  ): Promise<readonly boolean[]> => {
    if (isFair(name)) return await findFair(name, engine).areLive(ids);
    const keys = ids.map((id) => open(name, engine).toKey(id));
    if (keys.length === 0) return [];
    // Usually all jobs are live, or the only one is not, which a single command shows.
    const liveCount = await guardedRedis(() => connection.exists(...keys));
    if (liveCount === 0 || liveCount === keys.length) return ids.map(() => liveCount > 0);
    return await guardedRedis(() => Promise.all(keys.map(async (key) => (await connection.exists(key)) === 1)));
  };
  const findMissing = async (name: QueueName, jobIds: readonly string[]): Promise<readonly string[]> => {
    let missing = jobIds;
    const others = isLaidOut(name) ? await engines.list() : [];
    for (const engine of [undefined, ...others]) {
      const live = await areLive(name, missing, engine);
      missing = missing.filter((_, index) => live[index] !== true);
    }
    return missing;
  };
  const withdraw: Queues['withdraw'] = async (name, jobId, engine) => {
    if (isFair(name)) await findFair(name, engine).withdraw(jobId);
    // BullMQ refuses to remove a job that a worker holds.
    else await guardedRedis(() => open(name, engine).remove(jobId).catch(ignoreLocked));
  };
  return {
    fair: findFair,
    withdraw,
    async withdrawWebhooks(accountId) {
      const jobs = await guardedRedis(() => open('webhook').getJobs(['waiting', 'delayed']));
      for (const { id, data } of jobs)
        if (id !== undefined && (data as JobPayload<'webhook'>).accountId === accountId) await withdraw('webhook', id);
    },
    addTickets,
    listEngines: () => engines.list(),
    async add(name, jobId, payload, { engine, ...options } = {}) {
      await engines.remember(engine);
      const counted = isCounted(name, payload, options) ? arrivals.count(queueKey(name, engine)) : undefined;
      if (isFair(name)) await enqueue(name, [{ jobId, payload: payload as FairJob['payload'] }], engine);
      else {
        const contract = queueContracts[name].options;
        await guardedRedis(() => open(name, engine).add(name, payload, { ...contract, ...options, jobId }));
      }
      await counted;
    },
    async addMany(name, jobs, engine) {
      await engines.remember(engine);
      if (isFair(name)) return await enqueue(name, jobs as readonly FairJob[], engine);
      const bulk = jobs.map(({ jobId, payload }) => ({
        name,
        data: payload,
        opts: { ...queueContracts[name].options, jobId },
      }));
      await guardedRedis(() => open(name, engine).addBulk(bulk));
    },
    has: async (name, jobId) => (await findMissing(name, [jobId])).length === 0,
    findMissing,
    stats: (name, engine) =>
      guardedRedis(async () => {
        const queue = open(name, engine);
        if (isFair(name)) {
          const [{ depth, ageMs, assigned }, delayed] = await Promise.all([
            findFair(name, engine).backlog(''),
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
    arrivalsPerMinute: (name, engine) => arrivals.perMinute(queueKey(name, engine)),
    countWaiting: async (name) =>
      isFair(name) ? (await findFair(name).backlog('')).depth : await guardedRedis(() => open(name).getWaitingCount()),
    async schedule(task, everyMs) {
      await guardedRedis(async () => {
        const queue = open('maintenance');
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

/** Jobs whose arrival no PostgreSQL row records. */
const isCounted = (name: QueueName, payload: object, { delay = 0 }: JobsOptions): boolean =>
  delay === 0 &&
  (name === 'inspect' ||
    name === 'mail' ||
    name === 'bundle' ||
    ('isPreview' in payload && payload.isPreview === true));

/** Queues whose documents are laid out by LibreOffice. */
const isLaidOut = (name: QueueName): boolean => name === 'pdf' || name === 'pdf-batch';

function ignoreLocked(error: unknown): void {
  if (isRedisOutage(error)) throw error;
}

interface FairJob {
  readonly jobId: string;
  readonly payload: JobPayload<FairQueueName>;
}

async function oldestAgeMs(queue: Queue): Promise<number> {
  const [oldest] = await queue.getJobs('waiting', 0, 0, true);
  return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.timestamp);
}
