import { AppError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import { type Entry, resolveEntry } from '../../../shared/resolve-entry.ts';
import { EngineError } from '../../engine-error.ts';
import { ProcessLost, type ProcessSlot, startProcessSlot } from '../../supervisor/process-slot.ts';
import type { Slot } from '../../supervisor/slot-supervisor.ts';
import { exceededMemory, exceededTime } from './limit-errors.ts';
import {
  type CacheChange,
  type ProcessAnswer,
  type ProcessJob,
  type ProcessSettings,
  readProcessAnswer,
} from './protocol.ts';

export interface DocxProcessOptions extends ProcessSettings {
  readonly heapMb: number;
  /** Time limit of a job that has no other. */
  readonly timeLimitMs: number;
  /** Program to run instead of docx-process-main. */
  readonly entry?: Entry | undefined;
  /** Niceness, 0 to 19. */
  readonly niceness?: number | undefined;
}

type DocxProcess = ProcessSlot<ProcessJob, ProcessAnswer>;

/** Measured: half of this makes documents of 10,000 rows 10 % slower; twice as much gains nothing. */
const semiSpaceMb = 8;
/**
 * What a process may have beyond its heap: its program, fonts, and the bytes of files. Without this limit, a PDF with an
 * invoice could take all memory of the machine, because the library that reads it decompresses without one.
 */
const outsideHeapMb = 1_024;
/** Pages of 64 KiB: 512 MiB in total, for PDFium. */
const wasmPages = 8_192;
const ownEntry = resolveEntry('./docx-process-main', import.meta.url, 'process');

/** Starts a process and resolves when it accepts jobs. */
export async function startDocxSlot(
  { heapMb, timeLimitMs, templateCacheBytes, entry = ownEntry, niceness }: DocxProcessOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<DocxSlot> {
  const args = [JSON.stringify({ templateCacheBytes } satisfies ProcessSettings)];
  const flags = [`--max-semi-space-size=${semiSpaceMb}`, `--wasm-max-mem-pages=${wasmPages}`];
  const memoryLimitBytes = (heapMb + outsideHeapMb) * 1024 * 1024;
  const limits = { heapMb, memoryLimitBytes, timeLimitMs, niceness };
  const options = { entry, args, flags, ...limits, readAnswer: readProcessAnswer };
  const process: DocxProcess = await startProcessSlot(options, signal);
  return new DocxSlot(process, heapMb, logger);
}

/** One process that renders and inspects, one job at a time, each within a deadline. */
export class DocxSlot implements Slot {
  readonly ended: Promise<string>;
  /** Always true: a process that ends unexpectedly has exceeded a limit. */
  readonly wasKilled = true;
  readonly #process: DocxProcess;
  readonly #heapMb: number;
  readonly #logger: Logger;
  /** Keys of the parsed templates that the process caches. */
  readonly #cachedTemplates = new Set<string>();
  /** The key of the font coverage that the process was sent last. */
  #coverageKey: string | undefined;

  constructor(process: DocxProcess, heapMb: number, logger: Logger) {
    this.#process = process;
    this.#heapMb = heapMb;
    this.#logger = logger;
    this.ended = process.ended;
  }

  get isGone(): boolean {
    return this.#process.isGone;
  }

  hasTemplate(cacheKey: string): boolean {
    return this.#cachedTemplates.has(cacheKey);
  }

  /** Omits the template and the font coverage from the job if the process has them. Rejects with `AppError`. */
  async run(job: ProcessJob, timeoutMs: number): Promise<ProcessAnswer> {
    const answer = await this.#process.ask(this.#withoutKnown(job), timeoutMs).catch((error: unknown) => {
      throw this.#failure(error, job, timeoutMs);
    });
    if ('isSpent' in answer && answer.isSpent) void this.destroy();
    else if ('cache' in answer && answer.cache !== undefined) this.#updateCache(job, answer.cache);
    return answer;
  }

  destroy(): Promise<void> {
    return this.#process.destroy();
  }

  #withoutKnown(job: ProcessJob): ProcessJob {
    if (job.kind !== 'render' && job.kind !== 'inspect') return job;
    const isKnown = job.fonts !== undefined && job.fonts.key === this.#coverageKey;
    this.#coverageKey = job.fonts?.key ?? this.#coverageKey;
    const fonts = isKnown ? { key: job.fonts.key, ranges: undefined } : job.fonts;
    if (job.kind === 'inspect') return { ...job, fonts };
    const isCached = this.#cachedTemplates.has(job.cacheKey);
    const cached = { template: undefined, includes: undefined, accountWords: undefined };
    return isCached ? { ...job, fonts, ...cached } : { ...job, fonts };
  }

  #updateCache(job: ProcessJob, { isCached, evicted }: CacheChange): void {
    for (const key of evicted) this.#cachedTemplates.delete(key);
    if (job.kind !== 'render') return;
    if (isCached) this.#cachedTemplates.add(job.cacheKey);
    else this.#cachedTemplates.delete(job.cacheKey);
  }

  #failure(error: unknown, { kind }: ProcessJob, timeoutMs: number): AppError {
    if (!(error instanceof ProcessLost)) {
      this.#logger.error({ err: error }, 'a job could not be sent to a render process');
      return internalError(error);
    }
    switch (error.loss) {
      case 'time':
        this.#logger.warn({ kind, timeoutMs }, 'render process killed at its time limit');
        return exceededTime(kind, timeoutMs);
      case 'broken':
        this.#logger.error({ stack: error.message }, 'unexpected error in a render process');
        return internalError();
      case 'killed':
        return internalError(error);
      case 'heap':
        this.#logger.warn({ err: error, kind }, 'render process ended');
        return exceededMemory(kind, this.#heapMb);
      case 'memory':
        this.#logger.warn({ err: error, kind }, 'render process killed at its memory limit');
        return exceededMemory(kind, this.#heapMb + outsideHeapMb);
      default:
        this.#logger.warn({ err: error, kind }, 'render process ended');
        return new EngineError('internal', 'Internal server error', true, { cause: error });
    }
  }
}

function internalError(cause?: unknown): AppError {
  return new AppError('internal', 'Internal server error', { cause });
}
