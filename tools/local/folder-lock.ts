import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { processIdentity } from './processes/process-identity.ts';
import { readStateFile } from './state-file.ts';

const holderSchema = z.object({ pid: z.number(), identity: z.string() });
type Holder = z.infer<typeof holderSchema>;

export class FolderInUseError extends Error {
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(
      `another stack (pid ${pid}) already runs on ${folder}: stop it with 'kill ${pid}', or set LOCAL_DIR to another folder`,
    );
    this.pid = pid;
  }
}

/** Locks a folder for this process, even if the last holder crashed. Returns a function that unlocks it. */
export function lockFolder(folder: string, file: string): () => void {
  const mine: Holder = { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (tryLink(draft, file)) return () => rmSync(file, { force: true });
      const holder = readStateFile(file, holderSchema);
      if (holder !== undefined && processIdentity(holder.pid) === holder.identity) {
        throw new FolderInUseError(folder, holder.pid);
      }
      removeStale(file, holder);
    }
    throw new Error(`could not lock ${folder}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** `link` fails if the name exists, so only one of two processes succeeds, and the content is always complete. */
function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Renames a stale lock before removing it, and restores the lock if another process took it meanwhile. */
function removeStale(file: string, stale: Holder | undefined): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readStateFile(aside, holderSchema);
  if (taken !== undefined && taken.identity !== stale?.identity) tryLink(aside, file);
  rmSync(aside, { force: true });
}
