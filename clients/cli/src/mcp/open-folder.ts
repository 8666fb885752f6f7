import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, win32 } from 'node:path';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { toLocalName } from '../local-name.ts';
import { writeFreeFile } from '../write-file.ts';

/** The only folder whose files the tools read and write. */
export interface SharedFolder {
  /** The text of a file in the folder. Throws `usage` for a path outside it, or one that is not a file. */
  readText(path: string): Promise<string>;
  /** Writes a new file under the last part of this name, or under a free variant if it exists. Returns the name. */
  write(name: string, bytes: Uint8Array): Promise<string>;
}

/** The service's limit for one request. */
const maxFileBytes = 10 * 1024 * 1024;

/** Throws `usage` if the folder does not exist. */
export async function openFolder(path: string): Promise<SharedFolder> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) throw usage(`${path} is not a folder.`, 'Make it first, or name another one.');
  const root = await realpath(path);
  return {
    async readText(asked) {
      const target = await realpath(join(root, parseRelative(asked))).catch(() => undefined);
      if (target === undefined) throw usage(`There is no file ${JSON.stringify(asked)} in the folder.`);
      if (!isBelow(root, target)) throw outside(asked);
      // The path contains no links; O_NOFOLLOW rejects one created meanwhile as its last part.
      const file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const { size, isFile } = await file.stat().then((entry) => ({ size: entry.size, isFile: entry.isFile() }));
        if (!isFile) throw usage(`${JSON.stringify(asked)} is not a file.`);
        if (size > maxFileBytes)
          throw usage(`${JSON.stringify(asked)} is longer than ${maxFileBytes / 1024 / 1024} MB.`);
        return (await file.readFile('utf8')).replace(/^\ufeff/, '');
      } finally {
        await file.close();
      }
    },
    async write(name, bytes) {
      return relative(root, await writeFreeFile(join(root, toLocalName(name)), bytes));
    },
  };
}

/** Accepts only paths that lead down, on every system. */
function parseRelative(path: string): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(path))
    throw usage('Addresses are not read.', 'Give the path of a file in the folder.');
  const parts = path.split(/[\\/]/);
  const isUnsafe =
    path === '' || path.includes('\0') || isAbsolute(path) || win32.isAbsolute(path) || /^[a-z]:/i.test(path);
  if (isUnsafe || parts.includes('..')) throw outside(path);
  return path;
}

function isBelow(root: string, target: string): boolean {
  const way = relative(root, target);
  return way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}

function outside(path: string): CliError {
  return usage(
    `${JSON.stringify(path)} is not in the folder.`,
    'Give a path that begins in the folder, such as data/invoice.json.',
  );
}

function usage(message: string, hint?: string): CliError {
  return new CliError(exitCodes.usage, message, hint);
}
