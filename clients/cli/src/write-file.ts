import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants, copyFile, link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { CliError } from './cli-error.ts';
import { hasCode } from './error-code.ts';
import { exitCodes } from './exit-codes.ts';

const maxFreeNames = 10_000;

type Content = Uint8Array | string | AsyncIterable<Uint8Array>;

/**
 * Writes a file atomically, through a temporary file next to it. Without `isForced`, an existing file is kept and
 * `usage` is thrown.
 */
export async function writeWholeFile(path: string, content: Content, isForced: boolean): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    if (isForced) await rename(temporary, path);
    else await placeNew(temporary, path);
  } catch (error) {
    if (!isForced && hasCode(error, 'EEXIST')) {
      throw fileExists(path);
    }
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Renames the file unless the name exists. Copies it if the file system does not support links. */
async function placeNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error;
    await copyFile(temporary, path, constants.COPYFILE_EXCL);
  }
}

/**
 * Like `writeWholeFile`, but writes to `name-2.ext`, `name-3.ext` … if the file exists. Returns the path of the file.
 */
export async function writeFreeFile(path: string, content: Uint8Array): Promise<string> {
  const { dir, name, ext } = parse(path);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : join(dir, `${name}-${number}${ext}`);
    try {
      if (number < maxFreeNames && existsSync(candidate)) continue;
      await writeWholeFile(candidate, content, false);
      return candidate;
    } catch (error) {
      // Another program took the name first.
      if (!(error instanceof CliError) || number >= maxFreeNames) throw error;
    }
  }
}

/** Throws `usage` if there is a file at the path. */
export function rejectExisting(path: string): void {
  if (existsSync(path)) throw fileExists(path);
}

function fileExists(path: string): CliError {
  const hint = 'Use --force to replace it, or --output for another file.';
  return new CliError(exitCodes.usage, `${path} exists.`, hint);
}
