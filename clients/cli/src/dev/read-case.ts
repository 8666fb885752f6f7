import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode } from '../error-code.ts';
import type { CaseData } from './messages.ts';
import { type DevCase, insideOf, shownPath } from './workspace.ts';

/** The service's limit for one request. */
export const maxFileBytes = 10 * 1024 * 1024;
/** A file is briefly missing while an editor replaces it. */
const replaceMs = 250;

/** A file that cannot be used; the message contains its name. */
export class FileProblem extends Error {}

export const checksum = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The bytes of the template. Throws `FileProblem`, and file system errors. */
export async function readTemplate(root: string, { templatePath }: DevCase): Promise<Uint8Array<ArrayBuffer>> {
  let content = await readLimited(root, templatePath);
  if (content === undefined) {
    await pause(replaceMs);
    content = await readLimited(root, templatePath);
  }
  if (content === undefined) throw new FileProblem(`${shownPath(root, templatePath)} is missing.`);
  return Uint8Array.from(content);
}

/** The text of the data file; undefined if there is none. Throws `FileProblem`, and file system errors. */
export async function readData(root: string, { dataPath }: DevCase): Promise<CaseData | undefined> {
  const content = await readLimited(root, dataPath);
  if (content === undefined) return undefined;
  return { text: content.toString('utf8').replace(/^\ufeff/, ''), version: checksum(content) };
}

async function readLimited(root: string, path: string): Promise<Buffer | undefined> {
  try {
    const real = await insideOf(root, path);
    const found = await stat(real);
    if (!found.isFile()) throw new FileProblem(`${shownPath(root, path)} is not a file.`);
    if (found.size > maxFileBytes) throw new FileProblem(`${shownPath(root, path)} is larger than 10 MB.`);
    return await readFile(real);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
