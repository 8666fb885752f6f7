import type { PdfOptions } from '../../../shared/output-options.ts';
import { invalidOption, type OfficeError } from './office-error.ts';
import { pagesInRange } from './pages-in-range.ts';

export type FilterData = Record<string, string | number | boolean>;

const archiveVersions = { 'PDF/A-1b': 1, 'PDF/A-2b': 2, 'PDF/A-2u': 2, 'PDF/A-3b': 3 } as const;
const controlCharacter = /\p{Cc}|\p{Cs}/u;
const pageRange = /^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/;

/**
 * Converts options to `FilterData` of LibreOffice's `writer_pdf_Export`, without password and permissions, which `protectPdf`
 * adds to the PDF. Throws `invalid_request` if
 * they conflict.
 */
export function toFilterData(options: PdfOptions = {}): FilterData {
  validateOptions(options);
  const { archive, accessible, watermark, pages, imageQuality } = options;
  return {
    ...(archive !== undefined && { SelectPdfVersion: archiveVersions[archive] }),
    ...(accessible === true && { PDFUACompliance: true, UseTaggedPDF: true, ExportBookmarks: true }),
    ...(watermark !== undefined && { Watermark: watermark }),
    ...(pages !== undefined && { PageRange: pages }),
    // By default LibreOffice downsamples pictures, which takes up to a third of a conversion's time.
    ReduceImageResolution: imageQuality !== undefined,
    ...(imageQuality !== undefined && { UseLosslessCompression: false, Quality: imageQuality }),
  };
}

function validateOptions(options: PdfOptions): void {
  if (options.archive !== undefined && (options.password !== undefined || options.permissions !== undefined)) {
    const path = options.password === undefined ? 'output.pdf.permissions' : 'output.pdf.password';
    throw invalidOption(path, `${options.archive} forbids encryption, so it cannot have a password or permissions.`);
  }
  if (options.accessible === true && options.permissions?.accessibility === false) {
    throw invalidOption(
      'output.pdf.permissions.accessibility',
      'An accessible PDF must stay readable by screen readers.',
    );
  }
  if (options.password === '') throw invalidOption('output.pdf.password', 'The password must not be empty.');
  if (options.password !== undefined && controlCharacter.test(options.password)) {
    throw invalidOption('output.pdf.password', 'The password must not contain control characters.');
  }
  if (options.pages !== undefined && !pageRange.test(options.pages)) {
    throw invalidOption('output.pdf.pages', 'Pages must be numbers and ranges such as 1-3,5.');
  }
  const quality = options.imageQuality;
  if (quality !== undefined && !(Number.isInteger(quality) && quality >= 1 && quality <= 100)) {
    throw invalidOption('output.pdf.imageQuality', 'The image quality must be a whole number from 1 to 100.');
  }
}

/** The error for a page range that contains none of the document's pages; otherwise undefined. */
export function invalidRange({ PageRange: range }: FilterData, pages: number): OfficeError | undefined {
  if (typeof range !== 'string' || pages < 1 || pagesInRange(range, pages).length > 0) return undefined;
  return invalidOption('output.pdf.pages', `The document has ${pages} page(s), and ${range} contains none of them.`);
}
