import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderInUseError, lockFolder } from './folder-lock.ts';

const loopback = '127.0.0.1';
/** Below the ephemeral ports, which start at 32768 on Linux and 49152 on macOS. */
const [firstPort, lastPort] = [20_000, 29_999];
/** Shared by all users of this machine; contains a file for each reserved port. */
const folder = join(tmpdir(), 'docmill-ports');
const held = new Set<() => void>();

/**
 * Finds different free loopback ports. They are reserved until this process ends, even while their servers restart, so
 * that no other process of this project gets them.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  const width = lastPort - firstPort + 1;
  const start = Math.floor(Math.random() * width);
  for (let step = 0; step < width && ports.length < count; step++) {
    const port = firstPort + ((start + step) % width);
    if (await reserve(port)) ports.push(port);
  }
  if (ports.length < count) throw new Error('no free port on the loopback interface');
  return ports;
}

export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: loopback, exclusive: true }, resolve);
    });
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

async function reserve(port: number): Promise<boolean> {
  const unlock = lock(port);
  if (unlock === undefined) return false;
  if (!(await isPortFree(port))) {
    unlock();
    return false;
  }
  if (held.size === 0) process.once('exit', () => held.forEach((release) => void release()));
  held.add(unlock);
  return true;
}

function lock(port: number): (() => void) | undefined {
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o1777);
  }
  try {
    return lockFolder(`port ${port}`, join(folder, String(port)));
  } catch (error) {
    // A file left by another user cannot be removed.
    const isOfOthers = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (error instanceof FolderInUseError || isOfOthers) return undefined;
    throw error;
  }
}
