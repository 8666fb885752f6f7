import { createHash, hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { thisRelease } from '../../shared/this-release.ts';

/** The program of direct layout, and what it reads documents with. */
const programFolders = ['../pdf/direct/', '../docx/package/', '../docx/core/styles/'];

/**
 * SHA-256 (hex) of everything that decides how documents are laid out directly and by LibreOffice: the versions and programs of
 * both, and the fonts. What was proven with one key holds for no other.
 */
export function layoutKeyOf(parts: {
  /** Full version of LibreOffice, such as 25.2.3.2. */
  readonly office: string;
  /** SHA-256 of the installed fonts. */
  readonly fonts: string;
  /** As `digestProgram` computes it. */
  readonly program: string;
}): string {
  const { version, node } = thisRelease;
  return hash('sha256', JSON.stringify([version, node, parts.program, parts.office, parts.fonts]), 'hex');
}

/** SHA-256 (hex) of the program of direct layout, which may change without a new version of the release. */
export async function digestProgram(): Promise<string> {
  const digest = createHash('sha256');
  for (const folder of programFolders) {
    const root = fileURLToPath(new URL(folder, import.meta.url));
    const names = (await readdir(root, { recursive: true })).filter((name) => /\.[jt]s$/.test(name)).sort();
    for (const name of names) digest.update(`${name}\0`).update(await readFile(join(root, name)));
  }
  return digest.digest('hex');
}
