import { type FilterData, type PdfOptions, toFilterData } from './pdf-options.ts';

export interface ConvertRequest {
  readonly docx: Uint8Array;
  readonly pdf?: PdfOptions | undefined;
  /** Ends the wait for the result; a conversion that has begun goes on to its end or its deadline. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConvertResult {
  readonly pdf: Uint8Array;
  readonly pages: number;
  readonly convertMs: number;
  readonly waitMs: number;
}

/** A request on its way through the pool: settles once, by its result, its failure or its caller's signal. */
export class ConversionTask {
  readonly docx: Uint8Array;
  readonly filterData: FilterData;
  readonly result: Promise<ConvertResult>;
  readonly #queuedAt = performance.now();
  #startedAt = 0;
  #resolve: (result: ConvertResult) => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;
  #isSettled = false;
  attempts = 0;

  constructor(request: ConvertRequest) {
    this.docx = request.docx;
    this.filterData = toFilterData(request.pdf);
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  start(): void {
    this.attempts++;
    this.#startedAt = performance.now();
  }

  succeed(pdf: Uint8Array, pages: number): void {
    this.#isSettled = true;
    const convertMs = performance.now() - this.#startedAt;
    this.#resolve({ pdf, pages, convertMs, waitMs: this.#startedAt - this.#queuedAt });
  }

  fail(reason: unknown): void {
    this.#isSettled = true;
    this.#reject(reason);
  }
}
