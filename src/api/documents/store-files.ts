import { hash } from 'node:crypto';
import type { PdfOptions } from '../../shared/output-options.ts';
import { type EmailAttachment, type RequestFile, type StoredContent, withContent } from '../../shared/request-files.ts';

interface SentFiles {
  readonly pdf?: PdfOptions<string> | undefined;
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
export function storeFiles({ pdf, email }: SentFiles, json: Buffer): StoredFiles {
  const pieces = [json];
  let end = json.length;
  const store = (base64: string): StoredContent => {
    const bytes = Buffer.from(base64, 'base64');
    const stored = { offset: end, sizeBytes: bytes.length, sha256: hash('sha256', bytes, 'hex') };
    pieces.push(bytes);
    end += bytes.length;
    return stored;
  };
  const storeAll = <File extends RequestFile<string>>(files: readonly File[]) =>
    files.map((file) => withContent<string, StoredContent, File>(file, store));
  const { attachments, prepend, append, ...options } = pdf ?? {};
  const stored: PdfOptions = {
    ...options,
    ...(attachments && { attachments: storeAll(attachments) }),
    ...(prepend && { prepend: storeAll(prepend) }),
    ...(append && { append: storeAll(append) }),
  };
  const emailAttachments = email?.attachments && storeAll(email.attachments);
  return {
    pdf: pdf === undefined ? null : stored,
    emailAttachments,
    data: pieces.length === 1 ? json : Buffer.concat(pieces),
  };
}
