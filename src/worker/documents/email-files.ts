import type { EmailRequest, ResultLocation } from '../../shared/domain/documents/document-record.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';

/**
 * The key of a file that an e-mail carries in addition to the document. It begins with the key of the document, so that
 * both are removed together, and ends with the SHA-256 of the file, which verifies it when it is read.
 */
export const emailFileKey = (resultKey: string, index: number, sha256: string): string =>
  `${resultKey}.${index}.${sha256}`;

export interface EmailFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/**
 * The files that an e-mail carries in addition to the document, as they were when it was produced; undefined if one is
 * missing.
 */
export async function readEmailFiles(
  objects: Pick<ObjectStore, 'get' | 'list'>,
  { attachments = [] }: Pick<EmailRequest, 'attachments'>,
  { key: resultKey }: Pick<ResultLocation, 'key'>,
): Promise<readonly EmailFile[] | undefined> {
  if (attachments.length === 0) return [];
  const keys: string[] = [];
  for await (const page of objects.list(`${resultKey}.`)) keys.push(...page.map(({ key }) => key));
  const files: EmailFile[] = [];
  for (const [index, { name, mediaType }] of attachments.entries()) {
    const key = keys.find((each) => each.startsWith(`${resultKey}.${index}.`));
    const content = key === undefined ? undefined : await objects.get(key, key.slice(key.lastIndexOf('.') + 1));
    if (content === undefined) return undefined;
    files.push({ filename: name, contentType: mediaType, content });
  }
  return files;
}

/** Removes the files that are sent beside a document. */
export async function removeEmailFiles(
  objects: Pick<ObjectStore, 'list' | 'remove'>,
  resultKey: string,
): Promise<void> {
  for await (const page of objects.list(`${resultKey}.`)) await objects.remove(page.map(({ key }) => key));
}
