import { hash } from 'node:crypto';
import type { PrintedDocument } from './printed-document.ts';

/** Identifies the file of a template, the files that it includes, and the account's dictionary. */
export function templateKeyOf({
  templateObjectKey,
  includes,
  dictionaryId,
}: Pick<PrintedDocument, 'templateObjectKey' | 'includes' | 'dictionaryId'>): string {
  const parts = includes.map(({ reference, objectKey }) => `${reference}\0${objectKey}`).sort();
  const ofIncludes = parts.length === 0 ? [] : [hash('sha256', parts.join('\0'), 'hex')];
  return [templateObjectKey, ...ofIncludes, ...(dictionaryId === undefined ? [] : [dictionaryId])].join(' ');
}
