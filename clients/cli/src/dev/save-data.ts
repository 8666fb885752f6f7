import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../error-code.ts';
import type { CaseData } from './messages.ts';
import { checksum } from './read-case.ts';
import { type DevCase, insideOf } from './workspace.ts';

type Saved = { readonly saved: CaseData } | { readonly current: CaseData };

/**
 * Replaces the data file of a case atomically. If the file is no longer the edited version, it is kept and returned as
 * `current`. Throws `CliError` for a path outside the folder, and file system errors.
 */
export async function saveData(root: string, one: DevCase, text: string, basedOn: string | null): Promise<Saved> {
  const path = await insideOf(root, one.dataPath);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${dirname(path)}/.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    const mode = await stat(path).then(
      (found) => found.mode & 0o777,
      () => undefined,
    );
    if (mode !== undefined) await chmod(temporary, mode);
    // Compares and replaces in one synchronous step, so that no other save of this process can intervene.
    const current = readCurrent(path);
    const version = current === undefined ? null : checksum(current);
    if (version !== basedOn && current !== undefined) return { current: { text: current.toString('utf8'), version } };
    renameSync(temporary, path);
    return { saved: { text, version: checksum(text) } };
  } finally {
    await rm(temporary, { force: true });
  }
}

function readCurrent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
