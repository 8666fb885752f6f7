import { AppError, fromErrorRecord } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { TemplateSyntax } from '../../../shared/template-syntax.ts';
import { type ComparedInspection, withComparison } from '../../einvoice/inspect-invoice.ts';
import type { DocumentInvoice, InvoiceOrder } from '../../einvoice/make-document-invoice.ts';
import type { ComparedPages, PagesComparison } from '../../einvoice/pages/compare-pages.ts';
import { EngineError } from '../../engine-error.ts';
import { type AddWorkMs, measureWork } from '../../supervisor/measure-work.ts';
import { warmProcesses } from '../../supervisor/process-pool.ts';
import { SlotPool } from '../../supervisor/slot-pool.ts';
import type { AccountFamily } from '../account-fonts/account-family.ts';
import type { IncludedFiles } from '../core/inclusion.ts';
import type { RenderOptions } from '../core/render/render-options.ts';
import type { Warning } from '../core/warning.ts';
import type { LaidOutPages } from '../fields/page-facts.ts';
import type { InspectedFont } from '../inspect/fonts/inspect-font.ts';
import type { PictureReport } from '../inspect/inspect-picture.ts';
import type { TemplateReport } from '../inspect/inspect-template.ts';
import type { RenderTarget } from '../render-template.ts';
import { type DocxProcessOptions, type DocxSlot, startDocxSlot } from './docx-slot.ts';
import type { FontCoverage, ProcessAnswer, ProcessJob } from './protocol.ts';

export type { RenderOptions } from '../core/render/render-options.ts';
export type { Warning } from '../core/warning.ts';
export type { PictureReport } from '../inspect/inspect-picture.ts';
export type { TemplateReport } from '../inspect/inspect-template.ts';

export interface DocxPoolOptions {
  readonly processes: number;
  /** Whether the last idle process is kept for accounts that have no running job. Default: true. */
  readonly keepsSlotFree?: boolean | undefined;
  readonly renderTimeoutMs: number;
  readonly inspectTimeoutMs: number;
  /** Heap of each process, in MB. No job within `docxLimits` needs more than 384. */
  readonly heapMb: number;
  /** Limit of the parsed templates cached by each process. */
  readonly templateCacheBytes: number;
  readonly logger: Logger;
  /** Niceness of its processes, 0 to 19. */
  readonly niceness?: number | undefined;
}

export type DocxSlotsOptions = DocxProcessOptions &
  Pick<DocxPoolOptions, 'processes' | 'keepsSlotFree' | 'logger'> & { readonly timeLimitMs: number };

/**
 * Loads pictures of the account by id or name, at most `mostAssets`. The result omits those that do not exist; the
 * client gets an error with their JSON paths.
 */
export type LoadAssets = (names: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

/**
 * Loads the included templates with these names or ids, and all templates that those include in turn. Throws
 * `template_invalid` if one does not exist.
 */
export type LoadIncludes = (templates: readonly string[]) => Promise<IncludedFiles>;

export interface RenderRequest {
  /** The account whose document this is. Processes are shared fairly among accounts. */
  readonly account?: string | undefined;
  readonly addWorkMs?: AddWorkMs | undefined;
  /**
   * The cache key of the parsed template. Permanently identifies the template, those it includes, and the account's
   * dictionary.
   */
  readonly templateKey: string;
  /** Sent to the process unless it already has the parsed template. */
  readonly template: Uint8Array;
  /** The request's `data` object as raw JSON. */
  readonly data: Uint8Array;
  /** A document for `pdf` is stripped of active and external content and not compressed. */
  readonly target: RenderTarget;
  /** Language, time zone, and the treatment of missing values. */
  readonly options?: RenderOptions | undefined;
  /** Called only when the data refers to assets. Default: no assets exist. */
  readonly loadAssets?: LoadAssets | undefined;
  /** Called only if the template includes others that the process has not parsed yet. Default: no includes exist. */
  readonly loadIncludes?: LoadIncludes | undefined;
  /** The dictionary of the account as JSON. Default: it has none. */
  readonly accountWords?: Uint8Array | undefined;
  /** The characters that the fonts of PDFs cover. Default: text is not checked. */
  readonly fonts?: (FontCoverage & { readonly ranges: readonly number[] }) | undefined;
  /** The font families of the account, for target `pdf`. */
  readonly accountFonts?: readonly AccountFamily[] | undefined;
}

type WorkOwner = Pick<RenderRequest, 'account' | 'addWorkMs'>;

/** `fonts` and `accountFonts` apply to PDFs of the template. */
export type InspectOptions = WorkOwner &
  Pick<RenderRequest, 'fonts' | 'accountFonts' | 'loadIncludes' | 'accountWords'> & {
    /** The syntax of the tags. Default: braces. */
    readonly syntax?: TemplateSyntax | undefined;
    /** The text of an invoice mapping to check. */
    readonly invoiceMap?: string | undefined;
  };

export interface RenderResult {
  readonly docx: Uint8Array;
  readonly warnings: readonly Warning[];
  /** Aliases of the account's font families that the document uses. Their parts are missing: see `fontPartName`. */
  readonly fontAliases?: readonly string[] | undefined;
  /** Whether it has fields that depend on its pages: see `DocxPool.fillPages`. */
  readonly hasPageFields: boolean;
  readonly renderMs: number;
  /** Time from the call until a process started the job. */
  readonly waitMs: number;
}

export interface FillPagesRequest extends WorkOwner {
  readonly docx: Uint8Array;
  /** The pages on which the parts of the document were laid out. */
  readonly laidOut: LaidOutPages;
  readonly locale: string;
}

/** Variants of a document whose headers and footers are right on some of its pages; see `pageVariants`. */
export interface FilledPages {
  readonly variants: readonly { readonly docx: Uint8Array; readonly pages: readonly number[] }[];
  readonly wrongPages: number;
}

export interface PoolStatus {
  readonly processes: number;
  readonly busy: number;
  readonly waiting: number;
  /** Processes lost so far, most of them for exceeding a limit. */
  readonly kills: number;
  /** Jobs that were stopped at their first limit because another account waited. */
  readonly stops: number;
}

/** Opens, checks and renders templates in processes whose crashes do not affect this one. */
export interface DocxPool {
  /** Throws `template_invalid` with one detail per error. */
  inspect(bytes: Uint8Array, options?: InspectOptions): Promise<TemplateReport>;
  /** Throws `invalid_request` for a picture that a render would reject. */
  inspectPicture(bytes: Uint8Array, account?: string, addWorkMs?: AddWorkMs): Promise<PictureReport>;
  /** Throws `invalid_request` for a font that is damaged or must not be embedded. */
  inspectFont(bytes: Uint8Array, account?: string, addWorkMs?: AddWorkMs): Promise<InspectedFont>;
  /** Validates an invoice and compares it with its pages. Throws `invalid_request` for a file that is not an invoice. */
  inspectInvoice(bytes: Uint8Array, account?: string, addWorkMs?: AddWorkMs): Promise<ComparedInspection>;
  /** Throws `render_limit` if the comparison exceeds a limit. */
  compareInvoice(pages: ComparedPages, owner: WorkOwner): Promise<PagesComparison>;
  /** Throws `invoice_invalid` with the rules that the invoice breaks. */
  makeInvoice(order: InvoiceOrder, owner: WorkOwner): Promise<DocumentInvoice>;
  /**
   * Throws `template_invalid`, `data_invalid` (with JSON paths), `invalid_request` for its options, or `render_limit`;
   * `unavailable` when too many jobs wait.
   */
  render(request: RenderRequest): Promise<RenderResult>;
  /** Computes the fields that depend on pages, in a document for a converter. */
  fillPages(request: FillPagesRequest): Promise<FilledPages>;
  status(): PoolStatus;
  /** The number of jobs of an account that wait for a process. */
  waitingOf(account: string): number;
  /** Fails waiting and running jobs with `unavailable`, and ends the processes. */
  close(): Promise<void>;
}

/** Starts the processes in the background. Jobs wait for the first one. */
export function createDocxPool(options: DocxPoolOptions): DocxPool {
  const { renderTimeoutMs, inspectTimeoutMs } = options;
  const slots = createDocxSlots({ ...options, timeLimitMs: Math.max(renderTimeoutMs, inspectTimeoutMs) });
  const run = ({ account, addWorkMs }: WorkOwner, job: ProcessJob, timeoutMs: number): Promise<Answered> =>
    slots.use(
      async (slot, waitMs) => ({ answer: await measureWork(addWorkMs, () => slot.run(job, timeoutMs)), waitMs }),
      {
        account,
        work: job.kind === 'render' ? job.cacheKey : `${job.kind} ${account}`,
        choose: (idle) => chooseSlot(idle, job),
      },
    );
  const runIncluding = async (
    owner: WorkOwner,
    job: Extract<ProcessJob, { kind: 'inspect' | 'render' }>,
    timeoutMs: number,
    loadIncludes: LoadIncludes | undefined,
  ): Promise<Answered & { readonly includes?: IncludedFiles | undefined }> => {
    const first = await run(owner, job, timeoutMs);
    if (first.answer.kind !== 'needs-includes') return first;
    if (loadIncludes === undefined)
      throw new AppError('template_invalid', 'The template includes others, which are not available here');
    const includes = await loadIncludes(first.answer.templates);
    const { answer, waitMs } = await run(owner, { ...job, includes }, timeoutMs);
    return { answer, waitMs: first.waitMs + waitMs, includes };
  };
  const compare = async (pages: ComparedPages, owner: WorkOwner, timeoutMs: number): Promise<PagesComparison> => {
    const { answer } = await run(owner, { kind: 'compare-invoice', ...pages }, timeoutMs);
    if (answer.kind === 'compared-invoice') return answer;
    throw unexpected(answer);
  };
  return {
    async inspect(bytes, { account, addWorkMs, loadIncludes, ...options } = {}) {
      const job = { kind: 'inspect', bytes, ...options } as const;
      const { answer } = await runIncluding({ account, addWorkMs }, job, inspectTimeoutMs, loadIncludes);
      if (answer.kind === 'report') return answer.report;
      throw unexpected(answer);
    },
    async inspectPicture(bytes, account, addWorkMs) {
      const { answer } = await run({ account, addWorkMs }, { kind: 'picture', bytes }, inspectTimeoutMs);
      if (answer.kind === 'picture') return answer.picture;
      throw unexpected(answer);
    },
    async inspectFont(bytes, account, addWorkMs) {
      const { answer } = await run({ account, addWorkMs }, { kind: 'font', bytes }, inspectTimeoutMs);
      if (answer.kind === 'font') return { report: answer.report, file: Buffer.from(answer.file) };
      throw unexpected(answer);
    },
    async inspectInvoice(bytes, account, addWorkMs) {
      const { answer } = await run({ account, addWorkMs }, { kind: 'invoice', bytes }, inspectTimeoutMs);
      if (answer.kind !== 'invoice') throw unexpected(answer);
      const { invoice, xml } = answer;
      if (xml === undefined) return { ...invoice, comparison: undefined };
      // A second job, so that a file whose pages exceed a limit still gets the verdict about its rules.
      const comparison = await compare({ xml, pdf: bytes }, { account, addWorkMs }, inspectTimeoutMs).catch(
        notCompared,
      );
      return withComparison(invoice, comparison);
    },
    compareInvoice: (pages, owner) => compare(pages, owner, renderTimeoutMs),
    async makeInvoice({ source, ...order }, owner) {
      const { kind: sourceKind, bytes } = source;
      const mapping = source.kind === 'mapping' ? source.mapping : undefined;
      const job = { kind: 'make-invoice', ...order, sourceKind, bytes, mapping } as const;
      const { answer } = await run(owner, job, renderTimeoutMs);
      if (answer.kind === 'made-invoice') return answer;
      throw unexpected(answer);
    },
    async render({ account, addWorkMs, templateKey, loadAssets, loadIncludes, ...request }) {
      const cacheKey = `${request.target} ${templateKey}`;
      const job = {
        kind: 'render',
        cacheKey,
        options: undefined,
        assets: undefined,
        fonts: undefined,
        ...request,
      } as const;
      const owner = { account, addWorkMs };
      const first = await runIncluding(owner, job, renderTimeoutMs, loadIncludes);
      if (first.answer.kind !== 'needs') return toResult(first.answer, first.waitMs, 0);
      const { assets: names, renderMs } = first.answer;
      const loaded = (await loadAssets?.(names)) ?? new Map<string, Uint8Array>();
      const assets = new Map(names.map((name) => [name, loaded.get(name) ?? null]));
      const again = { ...job, assets, includes: first.includes };
      const second = await runIncluding(owner, again, renderTimeoutMs, loadIncludes);
      return toResult(second.answer, first.waitMs + second.waitMs, renderMs);
    },
    async fillPages({ account, addWorkMs, docx, laidOut, locale }) {
      const job = { kind: 'pages', bytes: docx, laidOut, locale } as const;
      const { answer } = await run({ account, addWorkMs }, job, renderTimeoutMs);
      if (answer.kind !== 'variants') throw unexpected(answer);
      const { files, pages, wrongPages } = answer;
      return { variants: Array.from(files.values(), (file, i) => ({ docx: file, pages: pages[i] ?? [] })), wrongPages };
    },
    status() {
      const { busy, waiting, kills, stops } = slots.counts();
      return { processes: options.processes, busy, waiting, kills, stops };
    },
    waitingOf: (account) => slots.waitingOf(account),
    close: () => slots.close(),
  };
}

/** The supervised processes of a pool. */
export function createDocxSlots(options: DocxSlotsOptions): SlotPool<DocxSlot> {
  const { processes, timeLimitMs, keepsSlotFree = true, logger } = options;
  const slots = new SlotPool<DocxSlot>({
    ...warmProcesses(processes),
    name: 'a render process',
    start: (signal) => startDocxSlot(options, logger, signal),
    timeLimitMs,
    quickMs: timeLimitMs / 200,
    keepsSlotFree,
    errors: {
      unavailable: () =>
        new AppError('unavailable', 'Documents cannot be rendered right now. Try again shortly.', {
          retryAfterSeconds: 10,
        }),
      closing: () => new AppError('unavailable', 'The service is shutting down. Try again shortly.'),
    },
    logger,
  });
  slots.begin();
  return slots;
}

interface Answered {
  readonly answer: ProcessAnswer;
  readonly waitMs: number;
}

/** Prefers a process that has the parsed template, then the most recently used one, whose code is warm. */
function chooseSlot(idle: readonly DocxSlot[], job: ProcessJob): DocxSlot | undefined {
  const cached = job.kind === 'render' ? idle.find((slot) => slot.hasTemplate(job.cacheKey)) : undefined;
  return cached ?? idle.at(-1);
}

function toResult(answer: ProcessAnswer, waitMs: number, renderedMs: number): RenderResult {
  if (answer.kind !== 'document') throw unexpected(answer);
  const { docx, warnings, fontAliases, hasPageFields, renderMs } = answer;
  return { docx, warnings, fontAliases, hasPageFields, renderMs: renderedMs + renderMs, waitMs };
}

function notCompared(error: unknown): PagesComparison {
  if (!(error instanceof EngineError) || error.code !== 'render_limit') throw error;
  return { differences: undefined, hasMore: false, problem: error.message, isSpent: false };
}

function unexpected(answer: ProcessAnswer): Error {
  return answer.kind === 'refused' ? fromErrorRecord(answer.error) : new Error(`unexpected answer: ${answer.kind}`);
}
