import { randomUUID } from 'node:crypto';
import { type Job, WaitingError, type Worker } from 'bullmq';
import type { WorkerConfig } from '../shared/config/load-config.ts';
import type { Logger } from '../shared/logger.ts';
import type { FairQueueName } from '../shared/queue/contracts.ts';
import { type Assignment, arrivalChannel, type Finish, wakeChannel } from '../shared/queue/fair/fair-queue.ts';
import { duplicateRedis, type Redis } from '../shared/queue/redis.ts';
import type { WorkerDeps } from './deps.ts';
import { createHandOut, TicketUnused } from './hand-out.ts';
import type { AddWorkMs } from './supervisor/measure-work.ts';

/** Callbacks through which the run of one entry reports to its queue. */
export interface TicketRun {
  /** Counts the time in engines that is charged to the account. */
  readonly addWorkMs: AddWorkMs;
  /** The document's data, if they came with the entry. */
  readonly data?: Buffer | undefined;
  /** Called when the entry no longer needs a scarce engine, so that another entry may be taken. */
  readonly releasePermit: () => void;
}

type Serve = (assignment: Assignment, job: Job, run: TicketRun) => Promise<void>;

/** The tickets of one fair queue in this worker. */
export interface FairWorker {
  /** The BullMQ processor of a ticket. Serves entries as long as any wait, but not for ever. */
  runTicket(job: Job, token: string | undefined): Promise<void>;
  /** Observes which failed tickets run again, to settle the charge to the account. */
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
  const workerId = randomUUID();
  const handOut = createHandOut({
    queue: queues.fair(name, engine),
    workerId,
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
  const messages = subscribe(connection, logger, {
    [arrivalChannel(config.QUEUE_PREFIX, name, engine)]: handOut.wake,
    [wakeChannel(config.QUEUE_PREFIX, name, workerId, engine)]: handOut.wakeTicket,
  });
  /** The entries of failed tickets. */
  const failed = new WeakMap<Job, Pick<Finish, 'id' | 'workMs'>>();
  let closing: Promise<void> | undefined;

  const serveEntry = async (entry: Assignment, job: Job, token: string | undefined): Promise<void> => {
    const { id, accountId, data } = entry;
    let workMs = 0;
    let isHeld = true;
    const releasePermit = (): void => {
      if (isHeld) handOut.release(accountId);
      isHeld = false;
    };
    const addWorkMs = (ms: number): void => {
      workMs += ms;
    };
    try {
      await serve(entry, job, { addWorkMs, releasePermit, data });
      handOut.finish({ ticket: job.id ?? '', token, id, workMs, isDone: true });
    } catch (error) {
      failed.set(job, { id, workMs });
      throw error;
    } finally {
      if (isHeld) releasePermit();
      // The account may have been saturated.
      else handOut.wake(accountId);
    }
  };

  return {
    async runTicket(job, token) {
      const endsAtMs = performance.now() + maxTicketMs;
      const ticket = { id: job.id ?? '', token };
      // A ticket that runs again serves one entry, so that BullMQ's limits of attempts are those of the entry.
      const isFirstRun = job.attemptsMade === 0 && job.stalledCounter === 0;
      do {
        const entry = await handOut.take(ticket).catch(async (error: unknown) => {
          if (!(error instanceof TicketUnused)) throw error;
          await job.moveToWait(token);
          throw new WaitingError();
        });
        if (entry === undefined) return;
        await serveEntry(entry, job, token);
      } while (isFirstRun && closing === undefined && performance.now() < endsAtMs);
    },
    watch(worker) {
      // A job without `finishedOn` runs again.
      worker.on('failed', (job: Job | undefined) => {
        const entry = job && failed.get(job);
        if (entry === undefined) return;
        handOut.finish({ ticket: job?.id ?? '', ...entry, isDone: typeof job?.finishedOn === 'number' });
      });
    },
    stop() {
      closing = handOut.close();
    },
    async close() {
      await (closing ?? handOut.close());
      messages.close();
      await handOut.flush();
    },
  };
}

/** After this time a ticket ends and another one takes its place. */
const maxTicketMs = 10_000;

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

const heartbeatMs = 3_000;

/** Calls the listener of each channel. Without the messages, arrivals are found by polling. */
function subscribe(
  connection: Redis,
  logger: Logger,
  listeners: Readonly<Record<string, (message: string) => void>>,
): { close(): void } {
  const subscriber = duplicateRedis(connection);
  const follow = (): void => {
    subscriber.subscribe(...Object.keys(listeners)).catch(() => undefined);
  };
  subscriber.on('error', (error: Error) => logger.warn({ err: error }, 'arrivals are found by polling'));
  subscriber.on('message', (channel: string, message: string) => listeners[channel]?.(message));
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
