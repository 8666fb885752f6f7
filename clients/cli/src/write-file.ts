import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

type Content = Uint8Array | string | AsyncIterable<Uint8Array>;

/**
 * Writes a whole file or nothing: to a temporary file beside it first. Without `isForced` a file that exists is kept, and `usage`
 * is thrown.
 */
export async function writeWholeFile(path: string, content: Content, isForced: boolean): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    if (isForced) await rename(temporary, path);
    else await copyFile(temporary, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (!isForced && error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw fileExists(path);
    }
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The last part of a name that a service sent, without characters that some systems cannot store or that hide the file. */
export function toLocalName(name: string): string {
  const last = basename(name.replaceAll('\\', '/'));
  const clean = last
    .replace(/[\p{Cc}<>:"|?*]/gu, '_')
    .replace(/^\.+/, '')
    .replace(/[. ]+$/, '');
  return clean === '' ? 'document' : clean;
}

/** Throws `usage` when there is a file at the path. */
export function rejectExisting(path: string): void {
  if (existsSync(path)) throw fileExists(path);
}

function fileExists(path: string): CliError {
  const hint = 'Use --force to replace it, or --output for another file.';
  return new CliError(exitCodes.usage, `${path} exists.`, hint);
}
