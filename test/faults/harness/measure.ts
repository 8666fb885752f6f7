import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** All descendants of a process. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readOrEmpty(`/proc/${name}/status`))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const queue = [pid];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const below = children.get(next) ?? [];
    found.push(...below);
    queue.push(...below);
  }
  return found;
}

/** The LibreOffice processes of a worker. */
export function officesOf(workerPid: number): number[] {
  return descendants(workerPid).filter((pid) => commandOf(pid).includes('soffice.bin'));
}

export function commandOf(pid: number): string {
  return readOrEmpty(`/proc/${pid}/cmdline`).split('\0')[0] ?? '';
}

/** All processes whose command line contains a text. */
export function processesWith(text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readOrEmpty(`/proc/${pid}/cmdline`).includes(text)).map(Number);
}

/** Peak resident memory of a process in bytes; 0 when it has exited. */
export function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024;
}

/** Processor time that a process has used, in hundredths of a second. */
export function ticksOf(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11] ?? 0);
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
