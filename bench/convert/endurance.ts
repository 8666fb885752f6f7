import { readdir, readFile } from 'node:fs/promises';
import { createLogger } from '../../src/shared/logger.ts';
import { startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { median, quantile } from '../harness/statistics.ts';

export interface Endurance {
  readonly conversions: number;
  /** p95 of the last tenth of the run, relative to the first tenth. */
  readonly p95Growth: number;
  /** Peak resident memory of the slot in the last quarter of the run, relative to the first quarter. */
  readonly residentGrowth: number;
  readonly descriptorGrowth: number;
  readonly fileGrowth: number;
}

interface Usage {
  readonly resident: number;
  readonly descriptors: number;
  readonly files: number;
}

const warmUpConversions = 50;
/** The service's default: LibreOffice leaks about 50 KB per document. */
const recycleAfter = 500;
const sampleEvery = 50;

/** Converts one document repeatedly in one slot and compares the end of the run with its start. */
export async function endure(docx: Uint8Array, conversions: number, tempDir: string): Promise<Endurance> {
  const limits = { convertTimeoutMs: 60_000, startTimeoutMs: 60_000, memoryLimitBytes: 8 * 1024 ** 3 };
  const logger = createLogger('silent', 'bench');
  const pool = await startOfficePool({ slots: 1, recycleAfter, tempDir, logger, ...limits });
  try {
    for (let i = 0; i < warmUpConversions; i++) await pool.convert({ docx });
    const timesMs: number[] = [];
    const samples: Usage[] = [];
    for (let i = 0; i < conversions; i++) {
      timesMs.push((await pool.convert({ docx })).convertMs);
      if (i % sampleEvery === 0) samples.push(await usage(tempDir));
    }
    return compareEnds(timesMs, samples);
  } finally {
    await pool.close();
  }
}

function compareEnds(timesMs: readonly number[], samples: readonly Usage[]): Endurance {
  const tenth = Math.max(1, Math.floor(timesMs.length / 10));
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)];
  const peak = (part: readonly Usage[]): number => Math.max(...part.map(({ resident }) => resident));
  // Uses the median, because a few samples see a document that LibreOffice has returned but not yet closed.
  const medianOf = (part: readonly Usage[], kind: 'descriptors' | 'files'): number =>
    median(part.map((sample) => sample[kind]));
  return {
    conversions: timesMs.length,
    p95Growth: p95(timesMs.slice(-tenth)) / p95(timesMs.slice(0, tenth)),
    residentGrowth: peak(last) / peak(first),
    descriptorGrowth: medianOf(last, 'descriptors') - medianOf(first, 'descriptors'),
    fileGrowth: medianOf(last, 'files') - medianOf(first, 'files'),
  };
}

async function usage(tempDir: string): Promise<Usage> {
  const pid = await officePid(tempDir);
  const inner = await readdir(`/proc/${pid}/root/tmp`, { recursive: true }).catch(() => []);
  const outer = await readdir(tempDir, { recursive: true });
  return {
    resident: Number((await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ')[1]),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
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
  throw new Error('no soffice.bin process belongs to this pool');
}

function p95(values: readonly number[]): number {
  return quantile(values, 0.95);
}
