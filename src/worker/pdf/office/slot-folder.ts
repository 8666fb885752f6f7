import { constants } from 'node:fs';
import { chmod, chown, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomText } from '../../../shared/ids.ts';
import { officeUnavailable } from './office-error.ts';

/** One document on its way through a slot: a folder that nothing else ever has, with the .docx in and the PDF out. */
export interface JobFolder {
  readonly name: string;
  /** The bytes LibreOffice wrote, or undefined when it wrote no regular file. */
  readPdf(): Promise<Uint8Array | undefined>;
  remove(): Promise<void>;
}

export async function openJobFolder(jobsDir: string, docx: Uint8Array, owner: number | undefined): Promise<JobFolder> {
  const name = randomText(16);
  const path = join(jobsDir, name);
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await mkdir(path, { mode: 0o700 });
    if (owner !== undefined) await chown(path, owner, owner);
    // 'wx' refuses a name that is taken, were it by a link that a document of before has planted.
    await writeFile(join(path, 'in.docx'), docx, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    await remove();
    throw isFull(error) ? officeUnavailable('The converter has no room for temporary files.', error) : error;
  }
  return { name, readPdf: () => readPdf(join(path, 'out.pdf')), remove };
}

async function readPdf(path: string): Promise<Uint8Array | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const entry = await file.stat();
    return entry.isFile() ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/** The folders of one slot: LibreOffice's user owns the inner ones, but cannot replace or list what holds them. */
export async function makeSlotFolder(slotDir: string, owner: number | undefined): Promise<void> {
  await makeTraversable(slotDir);
  for (const name of ['jobs', 'profile', 'tmp']) {
    const path = join(slotDir, name);
    await mkdir(path, { mode: 0o700 });
    if (owner !== undefined) await chown(path, owner, owner);
  }
}

/** A new folder that LibreOffice's user can pass through, but not list. */
export async function makeTraversable(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o711);
}

export async function removeSlotFolder(slotDir: string): Promise<void> {
  await rm(slotDir, { recursive: true, force: true, maxRetries: 3 });
}
