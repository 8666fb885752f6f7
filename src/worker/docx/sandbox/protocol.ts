import type { ErrorRecord } from '../../../shared/errors.ts';
import type { DrawingFace } from '../../../shared/fonts.ts';
import type { TemplateSyntax } from '../../../shared/template-syntax.ts';
import type { InvoiceInspection } from '../../einvoice/inspect-invoice.ts';
import type { DocumentInvoice, InvoiceOrder, InvoiceSource } from '../../einvoice/make-document-invoice.ts';
import type { ComparedPages, PagesComparison } from '../../einvoice/pages/compare-pages.ts';
import type { AccountFamily } from '../account-fonts/account-family.ts';
import type { IncludedFiles } from '../core/inclusion.ts';
import type { Assets } from '../core/render/assets.ts';
import type { RenderOptions } from '../core/render/render-options.ts';
import type { Warning } from '../core/warning.ts';
import type { LaidOutPages } from '../fields/page-facts.ts';
import type { FontReport } from '../inspect/fonts/inspect-font.ts';
import type { PictureReport } from '../inspect/inspect-picture.ts';
import type { TemplateReport } from '../inspect/inspect-template.ts';
import type { RenderTarget } from '../render-template.ts';

/** The characters of the installed fonts. The process keeps the ranges that it was sent last. */
export interface FontCoverage {
  /** Changes with the ranges. */
  readonly key: string;
  /** Undefined if the process was sent the ranges of this key last. */
  readonly ranges: readonly number[] | undefined;
  /** The faces with which SVG pictures are drawn, sent with the ranges. Default: those of Liberation. */
  readonly faces?: readonly DrawingFace[] | undefined;
}

/** The fonts with which a PDF is printed. Default: text is not checked. */
interface JobFonts {
  readonly fonts?: FontCoverage | undefined;
  /** The font families of the account. */
  readonly accountFonts?: readonly AccountFamily[] | undefined;
}

/** The inputs of a template besides its own file. */
interface JobSources {
  /** The files of included templates, sent once an earlier run has asked for them. */
  readonly includes?: IncludedFiles | undefined;
  /** The dictionary of the account as JSON; undefined for none, and for a template that the process has cached. */
  readonly accountWords?: Uint8Array | undefined;
}

/** A job for a process. A process runs one job at a time. */
export type ProcessJob =
  | (JobFonts &
      JobSources & {
        readonly kind: 'inspect';
        readonly bytes: Uint8Array;
        readonly syntax?: TemplateSyntax | undefined;
        readonly invoiceMap?: string | undefined;
      })
  | { readonly kind: 'picture'; readonly bytes: Uint8Array }
  | { readonly kind: 'font' | 'invoice'; readonly bytes: Uint8Array }
  /** Makes an invoice; `mapping` is set for a source of that kind. */
  | (Omit<InvoiceOrder, 'source'> & {
      readonly kind: 'make-invoice';
      readonly sourceKind: InvoiceSource['kind'];
      readonly bytes: Uint8Array;
      readonly mapping?: string | undefined;
    })
  /** Compares the pages of a PDF with its invoice. */
  | (ComparedPages & { readonly kind: 'compare-invoice' })
  /** Computes the fields that depend on pages, in a document for a converter. */
  | { readonly kind: 'pages'; readonly bytes: Uint8Array; readonly laidOut: LaidOutPages; readonly locale: string }
  | (JobFonts &
      JobSources & {
        readonly kind: 'render';
        readonly cacheKey: string;
        /** Undefined if the process has cached the parsed template. */
        readonly template: Uint8Array | undefined;
        readonly data: Uint8Array;
        readonly target: RenderTarget;
        readonly options: RenderOptions | undefined;
        /** The pictures of the account that an earlier run asked for. */
        readonly assets: Assets | undefined;
      });

interface RenderedDocument {
  readonly docx: Uint8Array;
  readonly warnings: readonly Warning[];
  /** Aliases of the account's font families that the document uses. */
  readonly fontAliases?: readonly string[] | undefined;
  /** Whether it has fields that depend on its pages. */
  readonly hasPageFields: boolean;
  readonly renderMs: number;
}

export interface CacheChange {
  /** Whether the process has cached the template of this job. */
  readonly isCached: boolean;
  /** Keys evicted since the last answer. */
  readonly evicted: readonly string[];
}

export type ProcessAnswer =
  | { readonly kind: 'report'; readonly report: TemplateReport }
  | { readonly kind: 'picture'; readonly picture: PictureReport }
  /** `xml` is that of a PDF. */
  | { readonly kind: 'invoice'; readonly invoice: InvoiceInspection; readonly xml: Uint8Array | undefined }
  | (PagesComparison & { readonly kind: 'compared-invoice' })
  | (DocumentInvoice & { readonly kind: 'made-invoice' })
  | {
      readonly kind: 'font';
      readonly report: FontReport;
      /** The font as conversions use it. */
      readonly file: Uint8Array;
      /** The process holds much memory that it cannot free: the pool replaces it. */
      readonly isSpent: boolean;
    }
  | (RenderedDocument & { readonly kind: 'document'; readonly cache: CacheChange })
  /** Variants of a document by their index, with the pages that each is right for. */
  | {
      readonly kind: 'variants';
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly pages: readonly (readonly number[])[];
      readonly wrongPages: number;
    }
  /** Send the job again with the files of these templates, and of those that they include. */
  | { readonly kind: 'needs-includes'; readonly templates: readonly string[] }
  /** Send the job again with these pictures of the account. */
  | {
      readonly kind: 'needs';
      readonly assets: readonly string[];
      readonly renderMs: number;
      readonly cache: CacheChange;
    }
  | {
      readonly kind: 'refused';
      readonly error: ErrorRecord;
      readonly cache: CacheChange | undefined;
      /** The process may be in an inconsistent state: the pool replaces it. */
      readonly isSpent: boolean;
    };

const kinds: ReadonlySet<unknown> = new Set<ProcessAnswer['kind']>([
  'report',
  'picture',
  'font',
  'invoice',
  'made-invoice',
  'compared-invoice',
  'document',
  'variants',
  'needs',
  'needs-includes',
  'refused',
]);

/** Undefined for an answer of unknown kind, or without its file. */
export function readProcessAnswer(message: unknown): ProcessAnswer | undefined {
  const answer = message as ProcessAnswer;
  if (!kinds.has(answer.kind)) return undefined;
  if (answer.kind === 'document' && !(answer.docx instanceof Uint8Array)) return undefined;
  if (answer.kind === 'font' && !(answer.file instanceof Uint8Array)) return undefined;
  if (answer.kind === 'made-invoice' && !(answer.xml instanceof Uint8Array)) return undefined;
  if (answer.kind === 'invoice' && answer.xml !== undefined && !(answer.xml instanceof Uint8Array)) return undefined;
  return answer;
}

export interface ProcessSettings {
  readonly templateCacheBytes: number;
}
