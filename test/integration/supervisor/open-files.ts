import { readdirSync, readlinkSync } from 'node:fs';

/** The open files, pipes and sockets of this process, which a child process could inherit. */
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
