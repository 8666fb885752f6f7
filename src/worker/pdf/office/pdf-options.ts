import { randomText } from '../../../shared/ids.ts';
import { invalidOption, type OfficeError } from './office-error.ts';

/** What a client may ask of the PDF, under `output.pdf`. */
export interface PdfOptions {
  readonly archive?: 'PDF/A-1b' | 'PDF/A-2b' | 'PDF/A-3b' | undefined;
  /** Tagged, with the rules of PDF/UA (ISO 14289-1). */
  readonly accessible?: boolean | undefined;
  /** Needed to open the document. */
  readonly password?: string | undefined;
  readonly permissions?: PdfPermissions | undefined;
  readonly watermark?: string | undefined;
  /** Page numbers and ranges counted from 1, such as `1-3,5`. */
  readonly pages?: string | undefined;
  /** JPEG quality of pictures, 1 to 100; they are also reduced to 300 dpi. Without it they keep their resolution. */
  readonly imageQuality?: number | undefined;
}

/** What a reader without the owner's password may do; what is not named is allowed. */
export interface PdfPermissions {
  readonly printing?: 'none' | 'low' | 'high' | undefined;
  readonly changes?: 'none' | 'assembly' | 'forms' | 'comments' | 'all' | undefined;
  readonly copying?: boolean | undefined;
  readonly accessibility?: boolean | undefined;
}

export type FilterData = Record<string, string | number | boolean>;

const archiveVersions = { 'PDF/A-1b': 1, 'PDF/A-2b': 2, 'PDF/A-3b': 3 } as const;
const printing = { none: 0, low: 1, high: 2 } as const;
const changes = { none: 0, assembly: 1, forms: 2, comments: 3, all: 4 } as const;
/** Signs that have one code in every encoding that writers and readers of PDF use; LibreOffice writes "?" for others. */
const passwordSigns = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff]*$/;
const pageRange = /^\d{1,6}(-\d{1,6})?(,\d{1,6}(-\d{1,6})?)*$/;

/** The options as `FilterData` of LibreOffice's `writer_pdf_Export`; throws `invalid_request` for what cannot be had together. */
export function toFilterData(options: PdfOptions = {}): FilterData {
  refuseContradictions(options);
  const { archive, accessible, password, permissions, watermark, pages, imageQuality } = options;
  return {
    ...(archive !== undefined && { SelectPdfVersion: archiveVersions[archive] }),
    ...(accessible === true && { PDFUACompliance: true, UseTaggedPDF: true, ExportBookmarks: true }),
    ...(password !== undefined && { EncryptFile: true, DocumentOpenPassword: password }),
    ...(permissions !== undefined && permissionData(permissions)),
    ...(watermark !== undefined && { Watermark: watermark }),
    ...(pages !== undefined && { PageRange: pages }),
    // LibreOffice would reduce pictures by default, for every document anew: up to a third of a conversion's time.
    ReduceImageResolution: imageQuality !== undefined,
    ...(imageQuality !== undefined && { UseLosslessCompression: false, Quality: imageQuality }),
  };
}

function permissionData(permissions: PdfPermissions): FilterData {
  return {
    RestrictPermissions: true,
    // Nobody is told this password: the permissions are meant to stay.
    PermissionPassword: randomText(32),
    Printing: printing[permissions.printing ?? 'high'],
    Changes: changes[permissions.changes ?? 'all'],
    EnableCopyingOfContent: permissions.copying ?? true,
    EnableTextAccessForAccessibilityTools: permissions.accessibility ?? true,
  };
}

function refuseContradictions(options: PdfOptions): void {
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
  if (options.password !== undefined && !passwordSigns.test(options.password)) {
    throw invalidOption('output.pdf.password', 'The password may only hold letters and signs of ISO 8859-1 (Latin-1).');
  }
  if (options.pages !== undefined && !pageRange.test(options.pages)) {
    throw invalidOption('output.pdf.pages', 'Pages must be numbers and ranges such as 1-3,5.');
  }
  const quality = options.imageQuality;
  if (quality !== undefined && !(Number.isInteger(quality) && quality >= 1 && quality <= 100)) {
    throw invalidOption('output.pdf.imageQuality', 'The image quality must be a whole number from 1 to 100.');
  }
}

/** The error of a page range that names none of the document's pages, if that is what it does. */
export function invalidRange({ PageRange: range }: FilterData, pages: number): OfficeError | undefined {
  if (typeof range !== 'string' || pages < 1 || countNamedPages(range, pages) > 0) return undefined;
  return invalidOption('output.pdf.pages', `The document has ${pages} page(s), and ${range} names none of them.`);
}

/** How many of the document's pages are in the PDF, as often as the range names them; a range may run past either end. */
export function countExportedPages({ PageRange: range }: FilterData, pages: number): number {
  return typeof range === 'string' ? countNamedPages(range, pages) : pages;
}

function countNamedPages(range: string, pages: number): number {
  const inside = (page: number): number => Math.min(Math.max(page, 1), pages);
  const counts = range.split(',').map((piece) => {
    const [from = 0, to = from] = piece.split('-').map(Number);
    const isOutside = Math.max(from, to) < 1 || Math.min(from, to) > pages;
    return isOutside ? 0 : Math.abs(inside(to) - inside(from)) + 1;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
