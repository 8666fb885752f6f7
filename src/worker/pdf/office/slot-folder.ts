import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

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
