import { AppError, fromErrorRecord } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { RenderOptions } from '../core/render/render-options.ts';
import type { PictureReport } from '../inspect/inspect-picture.ts';
import type { TemplateReport } from '../inspect/inspect-template.ts';
import type { RenderTarget } from '../render-template.ts';
import type { Warning } from '../sanitize/sanitize-package.ts';
import type { ProcessAnswer, ProcessJob } from './protocol.ts';
import { type PoolJob, Slot } from './slot.ts';

export type { RenderOptions } from '../core/render/render-options.ts';
export type { PictureReport } from '../inspect/inspect-picture.ts';
export type { TemplateReport } from '../inspect/inspect-template.ts';
export type { Warning } from '../sanitize/sanitize-package.ts';

export interface DocxPoolOptions {
  readonly processes: number;
  readonly renderTimeoutMs: number;
  readonly inspectTimeoutMs: number;
  /** Heap of each process; no job within `docxLimits` needs more than 384. */
  readonly heapMb: number;
  /** Jobs that may wait for a process; more are refused with `unavailable`. */
  readonly maxQueue: number;
  /** Parsed templates kept by each process. */
  readonly templateCacheBytes: number;
  readonly logger: Logger;
  /** Its processes give way to others, 0 to 19 as `nice` counts. */
  readonly niceness?: number | undefined;
}

/**
 * Loads pictures kept with the account by the ids or names that the data gives, at most `pictureLimits.assets` of them.
 * What does not exist is left out of the answer: the client is told the JSON path.
 */
export type LoadAssets = (names: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

export interface RenderRequest {
  /** Names these template bytes for ever (id and version): parsed templates are kept under it. */
  readonly templateKey: string;
  /** Sent to the process unless it holds the parsed template already. */
  readonly template: Uint8Array;
  /** The request's `data` object as raw JSON. */
  readonly data: Uint8Array;
  /** A document for `pdf` is stripped of active and external content and not compressed. */
  readonly target: RenderTarget;
  /** Language, time zone, and what becomes of missing values. */
  readonly options?: RenderOptions | undefined;
  /** Asked only when the data refers to assets; without it there are none. */
  readonly loadAssets?: LoadAssets | undefined;
}

export interface RenderResult {
  readonly docx: Uint8Array;
  readonly warnings: readonly Warning[];
  readonly renderMs: number;
  /** From the call until a process took the job. */
  readonly waitMs: number;
}

export interface PoolStatus {
  readonly processes: number;
  readonly busy: number;
  readonly waiting: number;
  /** Processes lost so far, most of them to a limit. */
  readonly kills: number;
}

/** Templates are opened, checked and filled in processes that may be lost at any time without harm to this one. */
export interface DocxPool {
  /** Throws `template_invalid` with one detail for each mistake. */
  inspect(bytes: Uint8Array): Promise<TemplateReport>;
  /** Throws `invalid_request` for what a render would not take. */
  inspectPicture(bytes: Uint8Array): Promise<PictureReport>;
  /**
   * Throws `template_invalid`, `data_invalid` (with JSON paths), `invalid_request` for its options, or `render_limit`;
   * `unavailable` when too much waits.
   */
  render(request: RenderRequest): Promise<RenderResult>;
  status(): PoolStatus;
  /** Fails what waits or runs with `unavailable`, and ends the processes. */
  close(): Promise<void>;
}

export function createDocxPool(options: DocxPoolOptions): DocxPool {
  return new ProcessPool(options);
}

interface WaitingJob extends PoolJob {
  onStart(): void;
}

class ProcessPool implements DocxPool {
  readonly #options: DocxPoolOptions;
  readonly #slots: readonly Slot[];
  readonly #waiting: WaitingJob[] = [];
  #isClosed = false;

  constructor(options: DocxPoolOptions) {
    this.#options = options;
    const events = { onFree: () => this.#dispatch(), onUnable: () => this.#failIfNoProcess() };
    this.#slots = Array.from({ length: options.processes }, () => new Slot(options, options.logger, events));
  }

  async inspect(bytes: Uint8Array): Promise<TemplateReport> {
    const { answer } = await this.#run({ kind: 'inspect', bytes }, this.#options.inspectTimeoutMs);
    if (answer.kind === 'report') return answer.report;
    throw unexpected(answer);
  }

  async inspectPicture(bytes: Uint8Array): Promise<PictureReport> {
    const { answer } = await this.#run({ kind: 'picture', bytes }, this.#options.inspectTimeoutMs);
    if (answer.kind === 'picture') return answer.picture;
    throw unexpected(answer);
  }

  async render({ templateKey, loadAssets, ...request }: RenderRequest): Promise<RenderResult> {
    const cacheKey = `${request.target} ${templateKey}`;
    const job = { kind: 'render', cacheKey, options: undefined, assets: undefined, ...request } as const;
    const first = await this.#run(job, this.#options.renderTimeoutMs);
    if (first.answer.kind !== 'needs') return toResult(first.answer, first.waitMs, 0);
    const { assets: names, renderMs } = first.answer;
    const loaded = (await loadAssets?.(names)) ?? new Map<string, Uint8Array>();
    const assets = new Map(names.map((name) => [name, loaded.get(name) ?? null]));
    const second = await this.#run({ ...job, assets }, this.#options.renderTimeoutMs);
    return toResult(second.answer, first.waitMs + second.waitMs, renderMs);
  }

  status(): PoolStatus {
    return {
      processes: this.#slots.length,
      busy: this.#slots.filter((slot) => slot.isBusy).length,
      waiting: this.#waiting.length,
      kills: this.#slots.reduce((sum, slot) => sum + slot.kills, 0),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.fail(new AppError('unavailable', 'The service is shutting down'));
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  #run(request: ProcessJob, timeoutMs: number): Promise<{ answer: ProcessAnswer; waitMs: number }> {
    const calledMs = performance.now();
    let waitMs = 0;
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#waiting.length >= this.#options.maxQueue) {
        reject(new AppError('unavailable', 'Too many documents are waiting', { retryAfterSeconds: 1 }));
        return;
      }
      this.#waiting.push({
        request,
        timeoutMs,
        onStart: () => {
          waitMs = performance.now() - calledMs;
        },
        settle: (answer) => resolve({ answer, waitMs }),
        fail: reject,
      });
      this.#dispatch();
      this.#failIfNoProcess();
    });
  }

  #dispatch(): void {
    for (let job = this.#waiting[0]; job !== undefined; job = this.#waiting[0]) {
      const slot = this.#slotFor(job.request);
      if (slot === undefined) return;
      this.#waiting.shift();
      job.onStart();
      slot.run(job);
    }
  }

  /** An idle process, one that holds the parsed template before any other. */
  #slotFor(request: ProcessJob): Slot | undefined {
    const idle = this.#slots.filter((slot) => slot.isIdle);
    return (request.kind === 'render' ? idle.find((slot) => slot.holds(request.cacheKey)) : undefined) ?? idle[0];
  }

  #failIfNoProcess(): void {
    if (!this.#slots.every((slot) => slot.isUnable)) return;
    const error = new AppError('unavailable', 'Documents cannot be rendered at the moment', { retryAfterSeconds: 10 });
    for (const job of this.#waiting.splice(0)) job.fail(error);
  }
}

function toResult(answer: ProcessAnswer, waitMs: number, renderedMs: number): RenderResult {
  if (answer.kind !== 'document') throw unexpected(answer);
  const { document } = answer;
  return { ...document, renderMs: renderedMs + document.renderMs, waitMs };
}

function unexpected(answer: ProcessAnswer): Error {
  return answer.kind === 'refused' ? fromErrorRecord(answer.error) : new Error(`unexpected answer: ${answer.kind}`);
}
