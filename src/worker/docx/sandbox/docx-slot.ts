import { AppError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import { EngineError } from '../../engine-error.ts';
import type { Slot } from '../../supervisor/slot-supervisor.ts';
import { DocxProcess, type ProcessDeath, type ProcessOptions } from './docx-process.ts';
import { exceededHeap, exceededTime } from './limit-errors.ts';
import type { CacheChange, ProcessAnswer, ProcessJob } from './protocol.ts';

interface RunningJob {
  readonly request: ProcessJob;
  readonly timeoutMs: number;
  readonly deadline: NodeJS.Timeout;
  readonly resolve: (answer: ProcessAnswer) => void;
  readonly reject: (error: AppError) => void;
}

/** Starts a process and resolves when it accepts jobs. */
export async function startDocxSlot(options: ProcessOptions, logger: Logger, signal: AbortSignal): Promise<DocxSlot> {
  const slot = new DocxSlot(options, logger);
  try {
    await slot.untilReady(signal);
    return slot;
  } catch (error) {
    await slot.destroy();
    throw error;
  }
}

/** One process that renders and inspects, one job at a time, each within a deadline. */
export class DocxSlot implements Slot {
  readonly ended: Promise<string>;
  /** Always true: a process that ends unexpectedly has exceeded a limit. */
  readonly wasKilled = true;
  readonly #options: ProcessOptions;
  readonly #logger: Logger;
  readonly #process: DocxProcess;
  readonly #isReady: Promise<void>;
  #reportEnd: (reason: string) => void = () => undefined;
  #job: RunningJob | undefined;
  /** Keys of the parsed templates that the process caches. */
  readonly #cachedTemplates = new Set<string>();
  /** The key of the font coverage that the process was sent last. */
  #coverageKey: string | undefined;
  #isGone = false;

  constructor(options: ProcessOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.ended = new Promise((resolve) => {
      this.#reportEnd = resolve;
    });
    let reportReady = (): void => undefined;
    this.#isReady = new Promise((resolve) => {
      reportReady = resolve;
    });
    this.#process = new DocxProcess(options, {
      onReady: () => reportReady(),
      onAnswer: (answer) => this.#onAnswer(answer),
      onDeath: (death, error) => this.#onDeath(death, error),
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  hasTemplate(cacheKey: string): boolean {
    return this.#cachedTemplates.has(cacheKey);
  }

  /** Rejects if the process ends first or the signal aborts. */
  async untilReady(signal: AbortSignal): Promise<void> {
    const fail = (reason: string): never => {
      throw new Error(`the process did not become ready: ${reason}`);
    };
    let onAbort = (): void => undefined;
    const aborted = new Promise<string>((resolve) => {
      onAbort = () => resolve(signal.reason instanceof Error ? signal.reason.message : 'stopped');
      signal.addEventListener('abort', onAbort);
    });
    try {
      await Promise.race([this.#isReady, this.ended.then(fail), aborted.then(fail)]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Omits the template and the font coverage from the job if the process has them. Rejects with `AppError`. */
  run(request: ProcessJob, timeoutMs: number): Promise<ProcessAnswer> {
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => this.#onDeadline(), timeoutMs);
      this.#job = { request, timeoutMs, deadline, resolve, reject };
      try {
        this.#process.post(this.#withoutKnown(request));
      } catch (error) {
        this.#logger.error({ err: error }, 'a job could not be sent to a render process');
        this.#takeJob()?.reject(internalError(error));
      }
    });
  }

  async destroy(): Promise<void> {
    this.#isGone = true;
    this.#takeJob()?.reject(internalError(new Error('the process was killed')));
    await this.#process.kill();
    this.#reportEnd('killed');
  }

  #withoutKnown(request: ProcessJob): ProcessJob {
    if (request.kind !== 'render' && request.kind !== 'inspect') return request;
    const isKnown = request.fonts !== undefined && request.fonts.key === this.#coverageKey;
    this.#coverageKey = request.fonts?.key ?? this.#coverageKey;
    const fonts = isKnown ? { key: request.fonts.key, ranges: undefined } : request.fonts;
    if (request.kind === 'inspect') return { ...request, fonts };
    const isCached = this.#cachedTemplates.has(request.cacheKey);
    const cached = { template: undefined, includes: undefined, accountWords: undefined };
    return isCached ? { ...request, fonts, ...cached } : { ...request, fonts };
  }

  #takeJob(): RunningJob | undefined {
    const job = this.#job;
    clearTimeout(job?.deadline);
    this.#job = undefined;
    return job;
  }

  #onAnswer(answer: ProcessAnswer): void {
    const job = this.#takeJob();
    if (answer.kind === 'broken') {
      this.#logger.error({ stack: answer.stack }, 'unexpected error in a render process');
      void this.destroy();
      job?.reject(internalError());
      return;
    }
    if ((answer.kind === 'refused' || answer.kind === 'font') && answer.isSpent) void this.destroy();
    else if ('cache' in answer && answer.cache !== undefined && job !== undefined) {
      this.#updateCache(job.request, answer.cache);
    }
    job?.resolve(answer);
  }

  #updateCache(request: ProcessJob, { isCached, evicted }: CacheChange): void {
    for (const key of evicted) this.#cachedTemplates.delete(key);
    if (request.kind !== 'render') return;
    if (isCached) this.#cachedTemplates.add(request.cacheKey);
    else this.#cachedTemplates.delete(request.cacheKey);
  }

  #onDeadline(): void {
    const job = this.#takeJob();
    void this.destroy();
    if (job === undefined) return;
    const { timeoutMs } = job;
    this.#logger.warn({ kind: job.request.kind, timeoutMs }, 'render process killed at its time limit');
    job.reject(exceededTime(job.request.kind, timeoutMs));
  }

  #onDeath(death: ProcessDeath, error: Error): void {
    this.#isGone = true;
    const job = this.#takeJob();
    this.#logger.warn({ err: error, death, kind: job?.request.kind }, 'render process ended');
    this.#reportEnd(error.message);
    if (job === undefined) return;
    const { heapMb } = this.#options;
    job.reject(
      death === 'heap'
        ? exceededHeap(job.request.kind, heapMb)
        : new EngineError('internal', 'Internal server error', true, { cause: error }),
    );
  }
}

function internalError(cause?: unknown): AppError {
  return new AppError('internal', 'Internal server error', { cause });
}
