import { lstat, unlink } from 'node:fs/promises';

const ownPath = /^\/(tmp|var\/tmp)\/OSL_PIPE_[\w-]+$/;

/**
 * Removes the sockets that LibreOffice listens on, once the agent is connected. In a shared /tmp they are accessible to
 * every user, and they would remain after a kill.
 */
export async function removeOfficeSockets(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (!ownPath.test(path)) continue;
    const entry = await lstat(path).catch(() => undefined);
    if (entry?.isSocket() === true) await unlink(path).catch(() => undefined);
  }
}
