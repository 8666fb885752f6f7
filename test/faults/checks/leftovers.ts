import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Harness } from '../harness/harness.ts';
import { until } from '../harness/until.ts';

/**
 * V1: after the processes of the row have exited, no temporary file remains, and no child process: one whose parent was
 * killed ends by itself.
 */
export async function checkLeftovers(h: Harness): Promise<string[]> {
  const faults: string[] = [];
  await until('no orphan', () => findOrphans(h).length === 0).catch(() => undefined);
  for (const orphan of findOrphans(h)) faults.push(`V1 an orphan process remains: ${orphan}`);
  for (const folder of [h.officeFolder, h.tempFolder]) {
    const files = readdirSync(folder).filter((name) => !name.startsWith('node-compile-cache'));
    if (files.length > 0) faults.push(`V1 temporary files remain: ${files.slice(0, 5).join(', ')}`);
  }
  return faults;
}

/** Processes that a worker of this row started: their environment contains its pool's name or the row's folder. */
export function findOrphans(h: Harness): string[] {
  const marks = [h.folder, ...h.processes.map(({ pid }) => `pool-${pid}-`)];
  const own = new Set(h.processes.filter(({ exit }) => exit === undefined).map(({ pid }) => pid));
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || own.has(Number(name)) || Number(name) === process.pid) return [];
    const text = ['environ', 'cmdline'].map((file) => readOrEmpty(join('/proc', name, file))).join('\0');
    if (!marks.some((mark) => text.includes(mark))) return [];
    if (/^State:\s+[ZX]/m.test(readOrEmpty(join('/proc', name, 'status')))) return [];
    return [
      `${name} ${readOrEmpty(join('/proc', name, 'cmdline'))
        .replaceAll('\0', ' ')
        .slice(0, 120)}`,
    ];
  });
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
