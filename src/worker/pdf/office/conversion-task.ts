import { type FilterData, type PdfOptions, toFilterData } from './pdf-options.ts';

export interface ConvertRequest {
  readonly docx: Uint8Array;
  readonly pdf?: PdfOptions | undefined;
  /** What the PDF will be called; fields that tell the name of the document show it with the extension .docx. */
  readonly filename?: string | undefined;
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
  readonly name: string;
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
    this.name = toDocumentName(request.filename ?? '');
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

const maxNameChars = 60;

/** A name for a file of LibreOffice's own: no path, and at most 250 bytes in UTF-8. */
function toDocumentName(filename: string): string {
  const last = filename.toWellFormed().replace(/^.*[/\\]/s, '');
  const stem = last.replace(/\.[^.]*$/, '').replace(/\p{Cc}/gu, '');
  return `${[...stem].slice(0, maxNameChars).join('').trim() || 'document'}.docx`;
}
