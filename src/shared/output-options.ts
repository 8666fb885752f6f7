// The options of `output` as rows and workers hold them. The API validates them (src/api/documents/output-options.ts).

import { type InvoiceOptions, shownInvoice } from './invoice-options.ts';
import type { RequestFile, StoredContent } from './request-file.ts';
import { type PdfFileOptions, withContent } from './request-files.ts';

/** The options that control formatting, missing values and external content. */
export interface RequestedRenderOptions {
  /** A BCP 47 language tag. Default: `en`. */
  readonly locale?: string | undefined;
  /** An IANA time zone. Default: `UTC`. */
  readonly timezone?: string | undefined;
  /** The handling of a tag without a value: print nothing (the default), fail, or print the tag itself in yellow. */
  readonly onMissing?: 'empty' | 'error' | 'highlight' | undefined;
  /** The handling of characters in a PDF that no font has: a warning (the default) or an error. */
  readonly onMissingGlyph?: 'warn' | 'error' | undefined;
  /** Whether a .docx keeps what Word loads from outside, and signatures. Default: `keep`. */
  readonly externalContent?: 'keep' | 'remove' | undefined;
  /** The other options of a .docx. Rows of PDFs have none. */
  readonly docx?: DocxOptions | undefined;
  /**
   * The time of creation and of the last change in the document's properties (ISO 8601, UTC). Default: as in the
   * template.
   */
  readonly documentDate?: string | undefined;
}

/** Options of a .docx: `output.docx` of a request, without `externalContent`. */
export interface DocxOptions {
  /** What happens to content controls: they stay (the default), leave only their content, or are locked. */
  readonly contentControls?: 'keep' | 'remove' | 'lock' | undefined;
  /** Default: keep. */
  readonly comments?: 'keep' | 'remove' | undefined;
  /** Default: keep. */
  readonly trackedChanges?: 'keep' | 'accept' | undefined;
  /** Default: as in the template. */
  readonly protection?: DocxProtection | undefined;
}

/** What Word allows in a document. Other programs may ignore it. */
export interface DocxProtection {
  /** `recommended`: Word asks whether to open the document read-only. */
  readonly mode: 'readOnly' | 'comments' | 'trackedChanges' | 'forms' | 'recommended';
  /** The password that turns the protection off. Erased from the rows of finished documents. */
  readonly password?: string | undefined;
}

/** Options of a PDF: `output.pdf` of a request, whose files are base64, or of a row. */
export interface PdfOptions<Content = StoredContent> extends PdfFileOptions<Content> {
  /** `office` disables direct layout. Default: auto. */
  readonly engine?: 'auto' | 'office' | undefined;
  readonly archive?: 'PDF/A-1b' | 'PDF/A-2b' | 'PDF/A-2u' | 'PDF/A-3b' | undefined;
  /** A tagged PDF that follows the rules of PDF/UA (ISO 14289-1). */
  readonly accessible?: boolean | undefined;
  /** What to do with a file that fails the check of `archive` or `accessible`. Default: warn. */
  readonly onNonconformance?: 'warn' | 'error' | undefined;
  /** Required to open the document. */
  readonly password?: string | undefined;
  readonly permissions?: PdfPermissions | undefined;
  readonly watermark?: string | undefined;
  /** Page numbers and ranges, counted from 1, such as `1-3,5`. */
  readonly pages?: string | undefined;
  /** JPEG quality of pictures, 1 to 100, which are also downsampled to 300 dpi. Default: pictures are unchanged. */
  readonly imageQuality?: number | undefined;
  /** The electronic invoice that is embedded; of a document of format `xml`, the invoice itself. */
  readonly invoice?: InvoiceOptions<Content> | undefined;
}

/** Permissions without the owner password. Everything is allowed by default. */
export interface PdfPermissions {
  readonly printing?: 'none' | 'low' | 'high' | undefined;
  readonly changes?: 'none' | 'assembly' | 'forms' | 'comments' | 'all' | undefined;
  readonly copying?: boolean | undefined;
  readonly accessibility?: boolean | undefined;
}

interface Shown {
  readonly size: number;
  readonly sha256: string;
}

/**
 * The options of a PDF as clients may see them: without the password, and with the digest of files instead of their
 * content.
 */
export function shownPdfOptions({ password: _password, ...options }: PdfOptions) {
  const { attachments, prepend, append, invoice } = options;
  const show = <File extends RequestFile>(files: readonly File[]) =>
    files.map((file) =>
      withContent<StoredContent, Shown, File>(file, ({ sizeBytes, sha256 }) => ({ size: sizeBytes, sha256 })),
    );
  return {
    ...options,
    ...(attachments && { attachments: show(attachments) }),
    ...(prepend && { prepend: show(prepend) }),
    ...(append && { append: show(append) }),
    ...(invoice && { invoice: shownInvoice(invoice) }),
  };
}

/** The protection of a .docx as clients may see it. */
function withoutPassword({ password: _password, ...options }: DocxProtection): DocxProtection {
  return options;
}

/** The options of a .docx and of formatting as clients may see them. */
export function withoutDocxPassword(options: RequestedRenderOptions | null): RequestedRenderOptions | null {
  const protection = options?.docx?.protection;
  if (protection === undefined) return options;
  return { ...options, docx: { ...options?.docx, protection: withoutPassword(protection) } };
}
