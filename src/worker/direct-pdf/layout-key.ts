import { createHash, hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClaimedDocument } from '../../shared/domain/documents/document-record.ts';
import { inputsSeparator } from '../../shared/domain/templates/layout-proofs.ts';
import { thisRelease } from '../../shared/this-release.ts';

const { resolve } = createRequire(import.meta.url);
/** The folders of direct layout and of the code that it reads documents with. */
const programFolders = [
  dirname(resolve('@docmill/layout')),
  dirname(resolve('@docmill/word/xml-tokens')),
  fileURLToPath(new URL('../docx/package/', import.meta.url)),
];

/**
 * SHA-256 (hex) of everything that determines the layout by both engines: their versions and programs, and the fonts. A
 * proof for one key is not valid for any other.
 */
export function layoutKeyOf(parts: {
  /** Full version of LibreOffice, such as 25.2.3.2. */
  readonly office: string;
  /** SHA-256 of the installed fonts. */
  readonly fonts: string;
  /** The result of `digestProgram`. */
  readonly program: string;
}): string {
  const { version, node } = thisRelease;
  return hash('sha256', JSON.stringify([version, node, parts.program, parts.office, parts.fonts]), 'hex');
}

/**
 * The layout key, extended by a digest of the files that may change the pages of a version: the included templates and
 * the account's fonts. Without such files, it is the engines' key.
 */
export function proofKeyOf(
  layoutKey: string,
  { includes, accountFonts }: Pick<ClaimedDocument, 'includes' | 'accountFonts'>,
): string {
  if (includes.length === 0 && accountFonts.length === 0) return layoutKey;
  const files = includes.map(({ reference, objectKey }) => `${reference}\0${objectKey}`).sort();
  const fonts = accountFonts.map(({ objectKey }) => objectKey).sort();
  return `${layoutKey}${inputsSeparator}${hash('sha256', JSON.stringify([files, fonts]), 'hex')}`;
}

/** SHA-256 (hex) of the direct-layout code, which may change without a new release version. */
export async function digestProgram(): Promise<string> {
  const digest = createHash('sha256');
  for (const root of programFolders) {
    const names = (await readdir(root, { recursive: true })).filter((name) => /\.[jt]s$/.test(name)).sort();
    for (const name of names) digest.update(`${name}\0`).update(await readFile(join(root, name)));
  }
  return digest.digest('hex');
}
