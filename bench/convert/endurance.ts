import { readdir, readFile } from 'node:fs/promises';
import { createLogger } from '../../src/shared/logger.ts';
import { startOfficePool } from '../../src/worker/office/office-pool.ts';

export interface Endurance {
  readonly conversions: number;
  /** p95 of the last tenth of the run against that of the first. */
  readonly p95Growth: number;
  readonly residentGrowth: number;
  readonly descriptorGrowth: number;
  readonly fileGrowth: number;
}

const warmUpConversions = 50;
const megabyte = 1024 ** 2;

/** Converts one document over and over in one slot that is never recycled, and compares its end with its beginning. */
export async function endure(docx: Uint8Array, conversions: number, tempDir: string): Promise<Endurance> {
  const limits = { convertTimeoutMs: 60_000, startTimeoutMs: 60_000, memoryLimitBytes: 8 * 1024 * megabyte };
  const logger = createLogger('silent', 'bench');
  const pool = await startOfficePool({ slots: 1, recycleAfter: 1_000_000, tempDir, logger, ...limits });
  try {
    for (let i = 0; i < warmUpConversions; i++) await pool.convert({ docx });
    const pid = await officePid(tempDir);
    const before = await usage(pid, tempDir);
    const timesMs: number[] = [];
    for (let i = 0; i < conversions; i++) timesMs.push((await pool.convert({ docx })).convertMs);
    const after = await usage(pid, tempDir);
    const tenth = Math.max(1, Math.floor(conversions / 10));
    return {
      conversions,
      p95Growth: p95(timesMs.slice(-tenth)) / p95(timesMs.slice(0, tenth)),
      residentGrowth: after.resident / before.resident,
      descriptorGrowth: after.descriptors - before.descriptors,
      fileGrowth: after.files - before.files,
    };
  } finally {
    await pool.close();
  }
}

async function usage(pid: number, tempDir: string): Promise<{ resident: number; descriptors: number; files: number }> {
  const inner = await readdir(`/proc/${pid}/root/tmp`, { recursive: true }).catch(() => []);
  const outer = await readdir(tempDir, { recursive: true });
  return {
    resident: Number((await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ')[1]),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length + (await readdir('/proc/self/fd')).length,
    files: inner.length + outer.length,
  };
}

async function officePid(tempDir: string): Promise<number> {
  const [pool = ''] = await readdir(tempDir);
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const name = await readFile(`/proc/${pid}/comm`, 'latin1').catch(() => '');
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    if (name.trim() === 'soffice.bin' && environment.includes(`${pool}/`)) return Number(pid);
  }
  throw new Error('no soffice.bin of this pool');
}

function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}
