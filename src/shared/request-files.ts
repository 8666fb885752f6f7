// Files that a request adds to its document: attachments, PDFs before or after the pages, and its electronic invoice.

import { type InvoiceOptions, invoicePath } from './invoice-options.ts';
import type { RequestFile, StoredContent } from './request-file.ts';

export const relationships = ['Source', 'Data', 'Alternative', 'Supplement', 'Unspecified'] as const;

/** A file that is sent with the document. */
export interface EmailAttachment<Content = StoredContent> extends RequestFile<Content> {
  readonly name: string;
  readonly mediaType: string;
}

/** A file that is embedded in a PDF. */
export interface PdfAttachment<Content = StoredContent> extends EmailAttachment<Content> {
  readonly description?: string | undefined;
  /** How the file relates to the document (ISO 19005-3, Annex E). Default: Unspecified. */
  readonly relationship?: (typeof relationships)[number] | undefined;
}

/** The fields of `output.pdf` that contain files. */
export interface PdfFileOptions<Content = StoredContent> {
  readonly attachments?: readonly PdfAttachment<Content>[] | undefined;
  /** PDFs to put before the pages of the document. */
  readonly prepend?: readonly RequestFile<Content>[] | undefined;
  /** PDFs to put after the pages of the document. */
  readonly append?: readonly RequestFile<Content>[] | undefined;
}

export const fileLimits = {
  /** The same as the limit of an asset. */
  fileBytes: 5 * 1024 * 1024,
  pdfAttachments: 20,
  /** All files of `output.pdf` together. */
  pdfBytes: 25 * 1024 * 1024,
  joinedPdfs: 10,
  joinedPages: 1_000,
  emailAttachments: 10,
  /**
   * All files of `output.email.attachments` together. In base64, they leave room for the document in a message of 25
   * MB.
   */
  emailBytes: 10 * 1024 * 1024,
} as const;

export interface ListedFile<Content, File extends RequestFile<Content> = RequestFile<Content>> {
  /** Its path in the request, such as `output.pdf.append[0]`. */
  readonly path: string;
  readonly file: File;
}

/** The files of a request by field, with their paths. */
export interface ListedFiles<Content = StoredContent> {
  readonly prepend: readonly ListedFile<Content>[];
  readonly append: readonly ListedFile<Content>[];
  readonly attachments: readonly ListedFile<Content, PdfAttachment<Content>>[];
  readonly email: readonly ListedFile<Content, EmailAttachment<Content>>[];
  /** The XML of the invoice, or the JSON that it is made of. */
  readonly invoice: readonly ListedFile<Content>[];
}

/** An invoice whose `data` is stored as its other files are. */
type StoredInvoice<Content> = Pick<InvoiceOptions, 'format'> &
  RequestFile<Content> & { readonly data?: Content | undefined };

function listInvoice<Content>(invoice: StoredInvoice<Content> | undefined): readonly ListedFile<Content>[] {
  if (invoice === undefined) return [];
  const path = invoicePath(invoice);
  if (invoice.data !== undefined) return [{ path: `${path}.data`, file: { content: invoice.data } }];
  const { asset, content } = invoice;
  return asset === undefined && content === undefined ? [] : [{ path, file: { asset, content } }];
}

export function listFiles<Content>(
  pdf: (PdfFileOptions<Content> & { readonly invoice?: StoredInvoice<Content> | undefined }) | null | undefined,
  email: { readonly attachments?: readonly EmailAttachment<Content>[] | undefined } | null | undefined,
): ListedFiles<Content> {
  const list = <File extends RequestFile<Content>>(path: string, files: readonly File[] = []) =>
    files.map((file, index) => ({ path: `${path}[${index}]`, file }));
  return {
    prepend: list('output.pdf.prepend', pdf?.prepend),
    append: list('output.pdf.append', pdf?.append),
    attachments: list('output.pdf.attachments', pdf?.attachments),
    email: list('output.email.attachments', email?.attachments),
    invoice: listInvoice(pdf?.invoice),
  };
}

export function allFiles<Content>(files: ListedFiles<Content>): readonly ListedFile<Content>[] {
  return [...files.prepend, ...files.append, ...files.attachments, ...files.email, ...files.invoice];
}

/** Replaces the content of a file. */
export function withContent<From, To, File extends RequestFile<From>>(
  file: File,
  change: (content: From) => To,
): Omit<File, 'content'> & RequestFile<To> {
  const { content, ...rest } = file;
  return content === undefined ? rest : { ...rest, content: change(content) };
}
