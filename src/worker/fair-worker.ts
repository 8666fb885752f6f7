import { type Job, WaitingError, type Worker } from 'bullmq';
import type { WorkerConfig } from '../shared/config/load-config.ts';
import type { Logger } from '../shared/logger.ts';
import type { FairQueueName } from '../shared/queue/contracts.ts';
import { type Assignment, type FairQueue, type Finish, wakeChannel } from '../shared/queue/fair/fair-queue.ts';
import { duplicateRedis, type Redis } from '../shared/queue/redis.ts';
import type { WorkerDeps } from './deps.ts';
import { createHandOut, type HandOut, TicketUnused } from './hand-out.ts';
import type { AddWorkMs } from './supervisor/measure-work.ts';

/** Callbacks through which the run of one entry reports to its queue. */
export interface TicketRun {
  /** Counts the time in engines that is charged to the account. */
  readonly addWorkMs: AddWorkMs;
  /** Called when the entry no longer needs a scarce engine, so that another entry may be taken. */
  readonly releasePermit: () => void;
}

type Serve = (assignment: Assignment, job: Job, run: TicketRun) => Promise<void>;

/** The tickets of one fair queue in this worker. */
export interface FairWorker {
  /** The BullMQ processor of a ticket. */
  runTicket(job: Job, token: string | undefined): Promise<void>;
  /** Observes when tickets end, to settle the charge to the account. */
  watch(worker: Worker): void;
  /** Returns unused tickets to the queue. */
  stop(): void;
  /** Call it after the last ticket has ended. */
  close(): Promise<void>;
}

export interface FairWorkerOptions {
  readonly permits: number;
  readonly serve: Serve;
  readonly logger: Logger;
  /** Serves the queue of this engine instead of the common one. */
  readonly engine?: string | undefined;
}

const none: ReadonlySet<string> = new Set();

export function createFairWorker(
  name: FairQueueName,
  deps: WorkerDeps,
  connection: Redis,
  { permits, serve, logger, engine }: FairWorkerOptions,
): FairWorker {
  const { queues, config } = deps;
  const queue = queues.fair(name, engine);
  const handOut = createHandOut({
    queue,
    permits,
    permitsPerAccount: permitsPerAccount(name, config),
    isSaturated: (accountId) => {
      const pool = name === 'pdf' ? deps.direct?.pool : deps.docx;
      return (pool?.waitingOf(accountId) ?? 0) >= 2 * config.RENDER_PROCESSES;
    },
    addTickets: (count) => queues.addTickets(name, count, engine),
    isPaused: () => deps.pauses?.isQueuePaused(name) === true,
    pausedAccounts: () => deps.pauses?.accounts() ?? none,
    logger,
  });
  const arrivals = subscribe(connection, wakeChannel(config.QUEUE_PREFIX, name, engine), handOut, logger);
  const finisher = createFinisher(queue, logger);
  const served = new WeakMap<Job, Pick<Finish, 'id' | 'workMs'>>();
  const end = (job: Job, isDone: boolean): void => {
    const work = served.get(job);
    if (work !== undefined) finisher.add({ ticket: job.id ?? '', ...work, isDone });
  };
  return {
    async runTicket(job, token) {
      const assignment = await takeOrReturn(handOut, job, token);
      if (assignment === undefined) return;
      const { id, accountId } = assignment;
      let worked = 0;
      let isHeld = true;
      const releasePermit = (): void => {
        if (isHeld) handOut.release(accountId);
        isHeld = false;
      };
      const addWorkMs = (ms: number): void => {
        worked += ms;
      };
      try {
        await serve(assignment, job, { addWorkMs, releasePermit });
      } finally {
        served.set(job, { id, workMs: worked });
        if (isHeld) releasePermit();
        // The account may have been saturated.
        else handOut.wake(accountId);
      }
    },
    watch(worker) {
      worker.on('completed', (job: Job) => end(job, true));
      // A job without `finishedOn` runs again.
      worker.on('failed', (job: Job | undefined) => job !== undefined && end(job, typeof job.finishedOn === 'number'));
    },
    stop: () => handOut.close(),
    async close() {
      arrivals.close();
      await finisher.flush();
    },
  };
}

/**
 * The number of documents or uploads of one account that this worker takes at a time. All accounts together may have
 * twice as many.
 */
export function permitsPerAccount(name: FairQueueName, config: WorkerConfig): number {
  switch (name) {
    case 'docx':
      return config.DOCX_CONCURRENCY;
    case 'pdf':
      return config.OFFICE_SLOTS + 1;
    case 'inspect':
      return config.RENDER_PROCESSES;
  }
}

async function takeOrReturn(handOut: HandOut, job: Job, token: string | undefined): Promise<Assignment | undefined> {
  try {
    return await handOut.take(job.id ?? '');
  } catch (error) {
    if (!(error instanceof TicketUnused)) throw error;
    await job.moveToWait(token);
    throw new WaitingError();
  }
}

const flushMs = 5;

/** Writes ends of tickets in batches. A lost one charges the account slightly too much or too little. */
function createFinisher(queue: FairQueue, logger: Logger): { add(finish: Finish): void; flush(): Promise<void> } {
  let finishes: Finish[] = [];
  const flush = async (): Promise<void> => {
    if (finishes.length === 0) return;
    const written = finishes;
    finishes = [];
    await queue
      .finish(written)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'finished documents could not be recorded in their queue'),
      );
  };
  return {
    add(finish) {
      if (finishes.length === 0) setTimeout(() => void flush(), flushMs).unref();
      finishes.push(finish);
    },
    flush,
  };
}

const heartbeatMs = 3_000;

/** Subscribes to arrivals. Without the messages, arrivals are found by polling. */
function subscribe(connection: Redis, channel: string, handOut: HandOut, logger: Logger): { close(): void } {
  const subscriber = duplicateRedis(connection);
  const follow = (): void => {
    subscriber.subscribe(channel).catch(() => undefined);
  };
  subscriber.on('error', (error: Error) => logger.warn({ err: error }, 'arrivals are found by polling'));
  subscriber.on('message', (_channel: string, accountId: string) => handOut.wake(accountId));
  follow();
  // Detects a dead server, because a subscriber otherwise sends nothing.
  const heartbeat = setInterval(() => subscriber.status === 'ready' && follow(), heartbeatMs);
  heartbeat.unref();
  return {
    close() {
      clearInterval(heartbeat);
      subscriber.disconnect();
    },
  };
}
