import { readFileSync } from 'node:fs';

/** Node.js opens the modules of a program at about the same time. Connections need further ones. */
const leastOpenFiles = 256;

/** Explains in messages how to raise the limit. */
export const raiseOpenFiles = 'Raise the limit: ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of Docker';

/**
 * The number of files that this process may open at once: the hard limit, to which Node.js raises its soft limit
 * (proc(5)). Infinite if there is none, or no `/proc` to read it from.
 */
export function readOpenFilesLimit(): number {
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(readLimits())?.[1];
  return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Exits with code 1 and one line of explanation if the limit of open files is too low even to load the modules.
 * Programs call it before they import anything else.
 */
export function requireOpenFiles(): void {
  const limit = readOpenFilesLimit();
  if (limit >= leastOpenFiles) return;
  const message = `This process may open ${limit} files at once and needs at least ${leastOpenFiles}.`;
  process.stderr.write(`${message} ${raiseOpenFiles}\n`);
  process.exit(1);
}
