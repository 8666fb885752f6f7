import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { hasCode } from '../error-code.ts';
import { exitCodes } from '../exit-codes.ts';
import { writeWholeFile } from '../write-file.ts';
import { isTemplateFile } from './template-file.ts';

const lockFileName = 'docmill.lock.json';

/** The version of a template that matched the file when it was last pulled or pushed. */
export interface LockEntry {
  readonly id: string;
  /** Name of the template in the service. */
  readonly name: string;
  readonly version: number;
  /** SHA-256 of the file, in hex. */
  readonly checksum: string;
}

/** The templates of one service, by file name. */
export type Lock = ReadonlyMap<string, LockEntry>;

export const lockEntry = {
  id: z.string().regex(/^tpl_[0-9a-z]{26}$/, 'must be the id of a template'),
  name: z.string().min(1),
  version: z.number().int().min(1),
  checksum: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256'),
};
/** The file may come from an untrusted repository, where a path could lead outside the folder. */
const file = z.string().refine((name) => isTemplateFile(name), 'must be the name of a .docx file');
const lockSchema = z.strictObject({
  lockVersion: z.literal(1),
  services: z.record(z.string(), z.strictObject({ templates: z.record(file, z.strictObject(lockEntry)) })),
});

type LockFile = z.output<typeof lockSchema>;

/** The entries of one service; none if there is no lock file. Throws `usage` if the file is damaged. */
export async function readLock(root: string, serviceUrl: string): Promise<Lock> {
  const { services } = await readLockFile(root);
  return new Map(Object.entries(services[serviceUrl]?.templates ?? {}));
}

/** Replaces the entries of one service atomically, and keeps the others. */
export async function writeLock(root: string, serviceUrl: string, lock: Lock): Promise<void> {
  const { services } = await readLockFile(root);
  // Sorted, so that branches of a repository merge cleanly.
  const templates = Object.fromEntries([...lock].sort(([a], [b]) => (a < b ? -1 : 1)));
  const next: LockFile = { lockVersion: 1, services: { ...services, [serviceUrl]: { templates } } };
  await writeWholeFile(join(root, lockFileName), `${JSON.stringify(next, null, 2)}\n`, true);
}

async function readLockFile(root: string): Promise<LockFile> {
  const path = join(root, lockFileName);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { lockVersion: 1, services: {} };
    throw error;
  }
  const result = lockSchema.safeParse(parse(text));
  if (result.success) return result.data;
  const hint = 'Restore it from version control, or delete it and run docmill templates pull.';
  throw new CliError(exitCodes.usage, `${path} is wrong.\n${z.prettifyError(result.error)}`, hint);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
