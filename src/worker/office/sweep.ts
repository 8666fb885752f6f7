import { lstat, readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../shared/logger.ts';
import { markerName } from './jail-kinds.ts';
import { abandonedAfterMs, ownerOf, ownIdentity, type PoolOwner } from './pool-folder.ts';
import { killByMarker, startTicksOf } from './process-group.ts';

const socketPath = /^\/(tmp|var\/tmp)\/OSL_PIPE_[\w-]+$/;
export const socketListName = 'sockets.json';

/** Removes what crashed pools left under the shared folder: their processes first, then their files. */
export async function sweepDeadPools(tempDir: string, logger: Logger): Promise<void> {
  const self = await ownIdentity();
  for (const name of await readdir(tempDir).catch(() => [])) {
    const owner = ownerOf(name);
    if (owner === undefined || !(await isDead(owner, self, join(tempDir, name)))) continue;
    try {
      const killed = await killByMarker(`${markerName}=${name}/`);
      await removeSocketsUnder(join(tempDir, name));
      await rm(join(tempDir, name), { recursive: true, force: true, maxRetries: 3 });
      logger.info({ pool: name, killed }, 'removed what a crashed LibreOffice pool had left');
    } catch (error) {
      logger.warn({ err: error, pool: name }, 'could not remove what a crashed LibreOffice pool had left');
    }
  }
}

/** Removes the sockets a slot had in a shared /tmp; the names are taken only from files that the jail cannot write. */
export async function removeSockets(slotDir: string): Promise<void> {
  const text = await readFile(join(slotDir, socketListName), 'utf8').catch(() => '[]');
  const names: unknown = JSON.parse(text);
  if (!Array.isArray(names)) return;
  for (const name of names) {
    if (typeof name !== 'string' || !socketPath.test(name)) continue;
    const entry = await lstat(name).catch(() => undefined);
    if (entry?.isSocket() === true) await unlink(name).catch(() => undefined);
  }
}

async function removeSocketsUnder(poolDir: string): Promise<void> {
  for (const slot of await readdir(poolDir)) await removeSockets(join(poolDir, slot)).catch(() => undefined);
}

async function isDead(owner: PoolOwner, self: PoolOwner, path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined || !entry.isDirectory() || entry.uid !== process.getuid?.()) return false;
  if (owner.pidNamespace === self.pidNamespace && process.platform === 'linux') {
    return (await startTicksOf(owner.pid)) !== owner.startTicks;
  }
  return Date.now() - entry.mtimeMs > abandonedAfterMs;
}
