import { constants } from 'node:fs';
import { chmod, chown, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomText } from '../../../shared/ids.ts';
import { maxFileBytes } from './agent/agent-settings.ts';
import { outOfSpace, pdfTooLong } from './office-error.ts';

/** A private folder for one conversion, with the .docx and the PDF. */
export interface JobFolder {
  readonly name: string;
  /** The PDF; undefined if LibreOffice wrote no regular file. Throws OfficeError for one that is too long. */
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
    // 'wx' fails if the name exists, even as a link planted by an earlier document.
    await writeFile(join(path, 'in.docx'), docx, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    // The file is removed with the pool's folder at the latest.
    await remove().catch(() => undefined);
    throw isFull(error) ? outOfSpace(error) : error;
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
    if (entry.size >= maxFileBytes) throw pdfTooLong(maxFileBytes);
    return entry.isFile() ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/** Creates the folders of a slot. LibreOffice's user owns the inner ones but cannot replace them or list their parent. */
export async function makeSlotFolder(slotDir: string, owner: number | undefined): Promise<void> {
  await makeTraversable(slotDir);
  for (const name of ['jobs', 'profile', 'tmp']) {
    const path = join(slotDir, name);
    await mkdir(path, { mode: 0o700 });
    if (owner !== undefined) await chown(path, owner, owner);
  }
}

/** Creates a folder that LibreOffice's user can traverse but not list. */
export async function makeTraversable(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o711);
}

export async function removeSlotFolder(slotDir: string): Promise<void> {
  await rm(slotDir, { recursive: true, force: true, maxRetries: 3 });
}
