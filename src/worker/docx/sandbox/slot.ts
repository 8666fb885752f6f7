import { AppError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import { DocxProcess, type ProcessDeath, type ProcessOptions } from './docx-process.ts';
import { neededTooMuchMemory, tookTooLong } from './limit-errors.ts';
import type { CacheNews, ProcessAnswer, ProcessJob } from './protocol.ts';

export interface PoolJob {
  /** Carries the template; the slot leaves it out when its process holds it already. */
  readonly request: ProcessJob;
  readonly timeoutMs: number;
  readonly settle: (answer: ProcessAnswer) => void;
  readonly fail: (error: AppError) => void;
}

export interface SlotEvents {
  readonly onFree: () => void;
  /** The process could not start and waits before it is tried again. */
  readonly onUnable: () => void;
}

const firstRestartDelayMs = 100;
const longestRestartDelayMs = 10_000;

/** One place for a process: runs one job at a time within its limits, and has a new process when one is lost. */
export class Slot {
  readonly #options: ProcessOptions;
  readonly #logger: Logger;
  readonly #events: SlotEvents;
  #process: DocxProcess | undefined;
  #isReady = false;
  #job: PoolJob | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  #held = new Set<string>();
  #failedStarts = 0;
  #kills = 0;
  #isClosed = false;

  constructor(options: ProcessOptions, logger: Logger, events: SlotEvents) {
    this.#options = options;
    this.#logger = logger;
    this.#events = events;
    this.#start();
  }

  get isIdle(): boolean {
    return this.#isReady && this.#job === undefined;
  }

  get isBusy(): boolean {
    return this.#job !== undefined;
  }

  get isUnable(): boolean {
    return this.#restart !== undefined;
  }

  /** Processes killed for breaking a limit, or dead by themselves. */
  get kills(): number {
    return this.#kills;
  }

  holds(cacheKey: string): boolean {
    return this.#held.has(cacheKey);
  }

  run(job: PoolJob): void {
    const { request } = job;
    this.#job = job;
    this.#deadline = setTimeout(() => this.#onDeadline(), job.timeoutMs);
    const isKnown = request.kind === 'render' && this.#held.has(request.cacheKey);
    try {
      this.#process?.post(isKnown ? { ...request, template: undefined } : request);
    } catch (error) {
      this.#logger.error({ err: error }, 'a job could not be handed to a document process');
      this.#takeJob()?.fail(new AppError('internal', 'Internal server error', { cause: error }));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    this.#takeJob()?.fail(new AppError('unavailable', 'The service is shutting down'));
    await this.#process?.kill();
  }

  #start(): void {
    this.#restart = undefined;
    this.#isReady = false;
    this.#held = new Set();
    try {
      this.#process = new DocxProcess(this.#options, {
        onReady: () => {
          this.#isReady = true;
          this.#failedStarts = 0;
          this.#events.onFree();
        },
        onAnswer: (answer) => this.#onAnswer(answer),
        onDeath: (death, error) => this.#onDeath(death, error),
      });
    } catch (error) {
      // Thrown for want of memory, where want of other things is told by an event.
      this.#logger.warn({ err: error }, 'a document process could not be started');
      this.#process = undefined;
      this.#startLater();
    }
  }

  #replace(): void {
    this.#kills++;
    void this.#process?.kill();
    if (!this.#isClosed) this.#start();
  }

  #takeJob(): PoolJob | undefined {
    clearTimeout(this.#deadline);
    const job = this.#job;
    this.#job = undefined;
    return job;
  }

  #onAnswer(answer: ProcessAnswer): void {
    const job = this.#takeJob();
    if (answer.kind === 'broken') {
      this.#logger.error({ stack: answer.stack }, 'unexpected error in a document process');
      this.#replace();
      job?.fail(new AppError('internal', 'Internal server error'));
      return;
    }
    if (answer.kind === 'refused' && answer.isSpent) {
      this.#replace();
      job?.settle(answer);
      return;
    }
    if ('cache' in answer && answer.cache !== undefined && job !== undefined) this.#note(job.request, answer.cache);
    job?.settle(answer);
    this.#events.onFree();
  }

  #note(request: ProcessJob, { holds, evicted }: CacheNews): void {
    for (const key of evicted) this.#held.delete(key);
    if (request.kind !== 'render') return;
    if (holds) this.#held.add(request.cacheKey);
    else this.#held.delete(request.cacheKey);
  }

  #onDeadline(): void {
    const job = this.#takeJob();
    this.#replace();
    if (job === undefined) return;
    this.#logger.warn(
      { kind: job.request.kind, timeoutMs: job.timeoutMs },
      'document process killed at its time limit',
    );
    job.fail(tookTooLong(job.request.kind, job.timeoutMs));
  }

  #onDeath(death: ProcessDeath, error: Error): void {
    const job = this.#takeJob();
    const wasReady = this.#isReady;
    this.#isReady = false;
    this.#logger.warn({ err: error, death, kind: job?.request.kind }, 'document process died');
    if (wasReady) this.#replace();
    else this.#startLater();
    if (job === undefined) return;
    const { kind } = job.request;
    job.fail(
      death === 'heap'
        ? neededTooMuchMemory(kind, this.#options.heapMb)
        : new AppError('internal', 'Internal server error', { cause: error }),
    );
  }

  #startLater(): void {
    if (this.#isClosed) return;
    const delayMs = Math.min(longestRestartDelayMs, firstRestartDelayMs * 2 ** this.#failedStarts++);
    this.#restart = setTimeout(() => this.#start(), delayMs);
    queueMicrotask(() => this.#events.onUnable());
  }
}
