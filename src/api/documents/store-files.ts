import { hash } from 'node:crypto';
import type { InvoiceOptions } from '../../shared/invoice-options.ts';
import type { PdfOptions } from '../../shared/output-options.ts';
import type { RequestFile, StoredContent } from '../../shared/request-file.ts';
import { type EmailAttachment, withContent } from '../../shared/request-files.ts';

interface SentFiles {
  readonly pdf?: PdfOptions<string> | undefined;
  /** The invoice of a document of format `xml`. */
  readonly xml?: InvoiceOptions<string> | undefined;
  readonly email?: { readonly attachments?: readonly EmailAttachment<string>[] | undefined } | undefined;
}

export interface StoredFiles {
  readonly pdf: PdfOptions | null;
  readonly emailAttachments: readonly EmailAttachment[] | undefined;
  /** The JSON text of the data, followed by the content of the files. */
  readonly data: Buffer;
}

/**
 * Moves the content of files out of the options, which are stored in a row, and appends it to the JSON text of the
 * data. It is then stored, counted, recovered and removed together with the data.
 */
export function storeFiles({ pdf, xml, email }: SentFiles, json: Buffer): StoredFiles {
  const pieces = [json];
  let end = json.length;
  const storeBytes = (bytes: Buffer): StoredContent => {
    const stored = { offset: end, sizeBytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
    pieces.push(bytes);
    end += bytes.length;
    return stored;
  };
  const store = (base64: string): StoredContent => storeBytes(Buffer.from(base64, 'base64'));
  const storeAll = <File extends RequestFile<string>>(files: readonly File[]) =>
    files.map((file) => withContent<string, StoredContent, File>(file, store));
  const storeInvoice = ({ data, ...rest }: InvoiceOptions<string>): InvoiceOptions => ({
    ...withContent<string, StoredContent, typeof rest>(rest, store),
    ...(data && { data: storeBytes(Buffer.from(JSON.stringify(data))) }),
  });
  const { attachments, prepend, append, invoice = xml, ...options } = pdf ?? {};
  const stored: PdfOptions = {
    ...options,
    ...(attachments && { attachments: storeAll(attachments) }),
    ...(prepend && { prepend: storeAll(prepend) }),
    ...(append && { append: storeAll(append) }),
    ...(invoice && { invoice: storeInvoice(invoice) }),
    // Factur-X 1.0, 6.1: a hybrid invoice is PDF/A-3.
    ...(pdf?.invoice && { archive: 'PDF/A-3b' }),
  };
  const emailAttachments = email?.attachments && storeAll(email.attachments);
  return {
    pdf: pdf === undefined && xml === undefined ? null : stored,
    emailAttachments,
    data: pieces.length === 1 ? json : Buffer.concat(pieces),
  };
}
