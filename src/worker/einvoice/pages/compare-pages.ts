import { startPdfium } from '../../pdf/compare/pdfium.ts';
import type { InvoiceDifference } from './difference.ts';
import { findDifferences } from './find-differences.ts';
import { type PrintedPage, readPrintedPages, UnreadablePages } from './read-printed-pages.ts';

export interface ComparedPages {
  /** The XML of the invoice, in CII. */
  readonly xml: Uint8Array;
  readonly pdf: Uint8Array;
  /** The locale of the pages. Default: the conventions that fit best. */
  readonly locale?: string | undefined;
}

export interface PagesComparison {
  /** At most 100. Undefined if the pages could not be compared. */
  readonly differences: readonly InvoiceDifference[] | undefined;
  readonly hasMore: boolean;
  /** Why they could not be compared, as the end of a sentence. */
  readonly problem?: string | undefined;
  /** Whether PDFium holds much memory that it cannot free, or may be in an inconsistent state. */
  readonly isSpent: boolean;
}

const maxDifferences = 100;
/** WebAssembly memory never shrinks. */
const maxKeptBytes = 128 * 1024 * 1024;
let started: ReturnType<typeof startPdfium> | undefined;

/** Compares the pages of a PDF with its invoice. Throws `UnreadableInvoice` as `validateInvoice`. */
export async function comparePages({ xml, pdf, locale }: ComparedPages): Promise<PagesComparison> {
  started ??= startPdfium();
  const pdfium = await started.catch((error: unknown) => {
    // The next comparison tries again.
    started = undefined;
    throw error;
  });
  let pages: readonly PrintedPage[];
  try {
    pages = readPrintedPages(pdfium, pdf);
  } catch (error) {
    // WebAssembly throws errors of any kind for a damaged file.
    const problem = error instanceof UnreadablePages ? error.message : 'the pages cannot be read';
    return { differences: undefined, hasMore: false, problem, isSpent: true };
  }
  const found = findDifferences(xml, pages, locale);
  const isSpent = pdfium.HEAPU8.length > maxKeptBytes;
  if (found === undefined) {
    const problem = 'only invoices in CII are compared with pages';
    return { differences: undefined, hasMore: false, problem, isSpent };
  }
  return { differences: found.slice(0, maxDifferences), hasMore: found.length > maxDifferences, isSpent };
}
