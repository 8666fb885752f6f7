import { readdir, readFile } from 'node:fs/promises';
import { createLogger } from '../../src/shared/logger.ts';
import { startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';

export interface Endurance {
  readonly conversions: number;
  /** p95 of the last tenth of the run against that of the first. */
  readonly p95Growth: number;
  /** Most resident memory of the slot in the last quarter of the run against that of the first. */
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
/** LibreOffice keeps some 50 KB of each document; a slot lives as long as it does by default. */
const recycleAfter = 500;
const sampleEvery = 50;

/** Converts one document over and over in one slot and compares the end of the run with its beginning. */
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
  const most = (part: readonly Usage[]): number => Math.max(...part.map(({ resident }) => resident));
  // Now and then a sample sees the document before it is closed: it answers first.
  const usual = (part: readonly Usage[], kind: 'descriptors' | 'files'): number =>
    part.map((sample) => sample[kind]).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? Number.NaN;
  return {
    conversions: timesMs.length,
    p95Growth: p95(timesMs.slice(-tenth)) / p95(timesMs.slice(0, tenth)),
    residentGrowth: most(last) / most(first),
    descriptorGrowth: usual(last, 'descriptors') - usual(first, 'descriptors'),
    fileGrowth: usual(last, 'files') - usual(first, 'files'),
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
  throw new Error('no soffice.bin of this pool');
}

function p95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
}
