import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../../shared/logger.ts';
import { markerName } from './jail-kinds.ts';
import { abandonedAfterMs, ownerOf, ownIdentity, type PoolOwner } from './pool-folder.ts';
import { killByMarker, startTicksOf } from './process-group.ts';

/** Removes what crashed pools left under the shared folder: their processes first, then their files. */
export async function sweepDeadPools(tempDir: string, logger: Logger): Promise<void> {
  const self = await ownIdentity();
  for (const name of await readdir(tempDir).catch(() => [])) {
    const owner = ownerOf(name);
    if (owner === undefined || !(await isDead(owner, self, join(tempDir, name)))) continue;
    try {
      const killed = await killByMarker(`${markerName}=${name}/`);
      await rm(join(tempDir, name), { recursive: true, force: true, maxRetries: 3 });
      logger.info({ pool: name, killed }, 'removed what a crashed LibreOffice pool had left');
    } catch (error) {
      logger.warn({ err: error, pool: name }, 'could not remove what a crashed LibreOffice pool had left');
    }
  }
}

async function isDead(owner: PoolOwner, self: PoolOwner, path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry === undefined || !entry.isDirectory() || entry.uid !== process.getuid?.()) return false;
  if (owner.pidNamespace === self.pidNamespace && process.platform === 'linux') {
    return (await startTicksOf(owner.pid)) !== owner.startTicks;
  }
  return Date.now() - entry.mtimeMs > abandonedAfterMs;
}
