import { z } from 'zod';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { type ProcessSlot, startProcessSlot } from '../../supervisor/process-slot.ts';
import { type Comparison, maxDifferences } from './comparison.ts';
import type { Measured } from './measure-pdfs.ts';
import { type MeasureOptions, measuresSchema } from './measures.ts';

export interface ComparerOptions {
  /** Time limit of one comparison. Default: 120,000. */
  readonly timeLimitMs?: number;
  /** The process ends after this idle time. Default: 60,000. */
  readonly idleMs?: number;
}

export interface CompareRequest {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Requests measures instead of a comparison. */
  readonly measure?: MeasureOptions;
}

type Answer = Comparison | Measured;
type CompareProcess = ProcessSlot<CompareRequest, Answer>;

const heapMb = 1_024;
const memoryLimitBytes = 2 * 1024 ** 3;
/** Pages of 64 KiB: 1 GiB in total. */
const wasmPages = 16_384;
const startTimeoutMs = 60_000;
const defaultTimeLimitMs = 120_000;
const defaultIdleMs = 60_000;
/** WebAssembly memory never shrinks, so the process is replaced after this number of comparisons. */
const maxComparisons = 500;

const maxMessage = 300;
const count = z.number().int().min(0);
const comparison = z.object({
  pages: count,
  characters: count,
  movedPt: z.number(),
  differences: z
    .array(
      z.object({
        measure: z.enum(['pages', 'outline', 'page size', 'text', 'drawing']),
        page: count,
        message: z.string().transform((message) => message.slice(0, maxMessage)),
        x: z.number().optional(),
        y: z.number().optional(),
      }),
    )
    .max(maxDifferences),
});

/** Each picture is a field of its own, because only fields of a message may be binary. */
const measured = z
  .object({ measures: measuresSchema })
  .catchall(z.instanceof(Uint8Array))
  .transform(({ measures, ...pictures }): Measured => ({ measures, pictures }));
const answer = z.union([comparison, measured]);

/**
 * Compares PDFs like `comparePdfs` and `measurePdfs`, but in a separate process, because a hostile template may have
 * shaped them. The first comparison starts the process, which serves the following ones in sequence; after an error a
 * new one starts.
 */
export class Comparer {
  readonly #timeLimitMs: number;
  readonly #idleMs: number;
  readonly #closing = new AbortController();
  #process: CompareProcess | undefined;
  #comparisons = 0;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ timeLimitMs = defaultTimeLimitMs, idleMs = defaultIdleMs }: ComparerOptions = {}) {
    this.#timeLimitMs = timeLimitMs;
    this.#idleMs = idleMs;
  }

  /** Rejects if the PDFs cannot be compared, or not within the limits of time and memory. */
  async compare(before: Uint8Array, after: Uint8Array): Promise<Comparison> {
    const compared = await this.#enqueue({ before, after });
    if ('measures' in compared) throw new Error('The PDFs were measured and not compared.');
    return compared;
  }

  /** Rejects like `compare`. */
  async measure(before: Uint8Array, after: Uint8Array, options: MeasureOptions): Promise<Measured> {
    const compared = await this.#enqueue({ before, after, measure: options });
    if (!('measures' in compared)) throw new Error('The PDFs were compared and not measured.');
    return compared;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The service is shutting down.'));
    await this.#end();
    await this.#last;
  }

  #enqueue(request: CompareRequest): Promise<Answer> {
    const compared = this.#last.then(() => this.#compareNow(request));
    this.#last = compared.catch(() => undefined);
    return compared;
  }

  async #compareNow(request: CompareRequest): Promise<Answer> {
    clearTimeout(this.#idle);
    if (this.#process?.isGone === true || this.#comparisons >= maxComparisons) await this.#end();
    this.#closing.signal.throwIfAborted();
    this.#process ??= await this.#start();
    this.#comparisons++;
    try {
      return await this.#process.ask(request);
    } catch (error) {
      throw new Error('The PDFs could not be compared.', { cause: error });
    } finally {
      this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
    }
  }

  #start(): Promise<CompareProcess> {
    const options = {
      entry: resolveEntry('./compare-process-main', import.meta.url, 'process'),
      flags: [`--wasm-max-mem-pages=${wasmPages}`],
      heapMb,
      memoryLimitBytes,
      timeLimitMs: this.#timeLimitMs,
      readAnswer: (message: unknown): Answer | undefined => answer.safeParse(message).data,
    };
    return startProcessSlot(options, AbortSignal.any([this.#closing.signal, AbortSignal.timeout(startTimeoutMs)]));
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const process = this.#process;
    this.#process = undefined;
    this.#comparisons = 0;
    await process?.destroy();
  }
}
