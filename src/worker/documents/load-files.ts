import { hash } from 'node:crypto';
import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { AppError } from '../../shared/errors.ts';
import type { RequestFile, StoredContent } from '../../shared/request-file.ts';
import {
  allFiles,
  type EmailAttachment,
  fileLimits,
  type ListedFile,
  listFiles,
  type PdfAttachment,
} from '../../shared/request-files.ts';
import type { WorkerDeps } from '../deps.ts';
import { dataLost, type FetchedData } from './load-content.ts';

/** A file of the request with its bytes. */
export interface LoadedFile<File = RequestFile> {
  /** Its path in the request, such as `output.pdf.append[0]`. */
  readonly path: string;
  readonly file: File;
  readonly bytes: Uint8Array;
}

/** The files of a request. */
export interface LoadedFiles {
  readonly prepend: readonly LoadedFile[];
  readonly append: readonly LoadedFile[];
  readonly attachments: readonly LoadedFile<PdfAttachment>[];
  readonly email: readonly LoadedFile<EmailAttachment>[];
  readonly invoice: readonly LoadedFile[];
}

/**
 * Loads the files of a request: assets with their current content, and files that came with the request. Throws
 * `invalid_request` for an asset that does not exist, and `render_limit` if the files are too large.
 */
export async function loadFiles(
  { loadAssets }: Pick<WorkerDeps, 'loadAssets'>,
  { accountId, pdfOptions, email }: Pick<ClaimedDocument, 'accountId' | 'pdfOptions' | 'email'>,
  fetched: FetchedData,
): Promise<LoadedFiles> {
  const listed = listFiles(pdfOptions, email);
  const all = allFiles(listed);
  const names = [...new Set(all.flatMap(({ file }) => file.asset ?? []))];
  const assets = names.length === 0 ? new Map<string, Uint8Array>() : await loadAssets(accountId, names);
  const data = all.some(({ file }) => file.content !== undefined) ? await fetched : undefined;
  const load = <File extends RequestFile>(files: readonly ListedFile<StoredContent, File>[]): LoadedFile<File>[] =>
    files.map(({ path, file }) => ({ path, file, bytes: bytesOf({ path, file }, assets, data) }));
  const loaded = {
    prepend: load(listed.prepend),
    append: load(listed.append),
    attachments: load(listed.attachments),
    email: load(listed.email),
    invoice: load(listed.invoice),
  };
  refuseTooMuch('output.pdf', [...loaded.prepend, ...loaded.append, ...loaded.attachments], fileLimits.pdfBytes);
  refuseTooMuch('output.email.attachments', loaded.email, fileLimits.emailBytes);
  return loaded;
}

function bytesOf(
  { path, file: { asset, content } }: ListedFile<StoredContent>,
  assets: ReadonlyMap<string, Uint8Array>,
  data: Buffer | undefined,
): Uint8Array {
  if (content !== undefined) {
    const bytes = data?.subarray(content.offset, content.offset + content.sizeBytes);
    if (bytes === undefined || hash('sha256', bytes, 'hex') !== content.sha256) throw dataLost();
    return bytes;
  }
  const bytes = assets.get(asset ?? '');
  if (bytes === undefined) throw invalidFile(`${path}.asset`, 'names an asset that does not exist');
  return bytes;
}

/** The error for a file of the request that cannot be used. */
export function invalidFile(path: string, problem: string): AppError {
  return new AppError('invalid_request', `${path}: ${problem}`, {
    details: [{ type: 'Field', path, message: problem }],
  });
}

function refuseTooMuch(path: string, files: readonly LoadedFile[], maxBytes: number): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes <= maxBytes) return;
  const message = `${path}: the files have ${(bytes / 1024 / 1024).toFixed(1)} MB together; the limit is ${maxBytes / 1024 / 1024} MB.`;
  throw new AppError('render_limit', message, { details: [{ type: 'Message', message }] });
}
