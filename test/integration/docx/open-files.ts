import { readdirSync, readlinkSync } from 'node:fs';

/** What this process has open that another could share with it: files, pipes and sockets by their numbers. */
export function openFiles(): string[] {
  const targets = readdirSync('/proc/self/fd').map(targetOf);
  return targets.filter((target) => /^(?:socket:|pipe:|\/(?!dev\/null|proc\/))/.test(target));
}

function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}
