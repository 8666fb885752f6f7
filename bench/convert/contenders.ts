import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '../../src/shared/logger.ts';
import { startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { findPrograms } from '../../src/worker/pdf/office/programs.ts';
import { startFloor } from '../contenders/floor.ts';
import type { BenchDocument } from './documents.ts';

/** One way of converting. `convert` returns the milliseconds that `count` conversions of the document took in all. */
export interface Contender {
  readonly name: string;
  readonly convert: (document: BenchDocument, count: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

export async function docmill(slots: number, tempDir: string): Promise<Contender> {
  const pool = await startOfficePool({
    slots,
    tempDir,
    convertTimeoutMs: 120_000,
    startTimeoutMs: 60_000,
    recycleAfter: 100_000,
    memoryLimitBytes: 4 * 1024 ** 3,
    logger: createLogger('silent', 'bench'),
  });
  return {
    name: `docmill, ${slots} slot(s)`,
    convert: ({ docx }, count) => timed(() => inParallel(slots, count, () => pool.convert({ docx }))),
    close: () => pool.close(),
  };
}

/** A bare loop in one warm LibreOffice, timed within itself. */
export async function floor(folder: string): Promise<Contender> {
  const bare = await startFloor(folder);
  return {
    name: 'floor: bare loop in one warm LibreOffice',
    convert: async ({ docx, name }, count) => {
      const path = join(folder, `${name.replaceAll(' ', '-')}.docx`);
      await writeFile(path, docx);
      return (await bare.convert(path, count)).reduce((sum, ms) => sum + ms, 0);
    },
    close: () => bare.close(),
  };
}

/** A process for every document. */
export async function convertTo(folder: string): Promise<Contender> {
  await mkdir(folder, { recursive: true });
  return {
    name: 'soffice --convert-to',
    convert: async ({ docx }, count) => {
      const path = join(folder, 'document.docx');
      await writeFile(path, docx);
      const args = [`-env:UserInstallation=file://${folder}/profile`, '--headless', '--convert-to', 'pdf'];
      const run = (): Promise<unknown> => promisify(execFile)('soffice', [...args, '--outdir', folder, path]);
      return timed(() => inParallel(1, count, run));
    },
    close: () => Promise.resolve(),
  };
}

interface Carbone {
  set(options: { factories: number; startFactory: boolean; tempPath: string }): void;
  convert(
    file: Buffer,
    options: { convertTo: string; extension: string },
    callback: (error: unknown, pdf: Buffer) => void,
  ): void;
}

/** The npm package carbone, converting the same files with its own factories; compared with, never shipped. */
export async function carbone(factories: number, folder: string): Promise<Contender> {
  await mkdir(folder, { recursive: true });
  // carbone looks for soffice.bin and python3 on the path only, and takes a python3 without uno too.
  const { python, soffice } = await findPrograms({});
  Object.assign(process.env, { PATH: [dirname(soffice), dirname(python), '/usr/bin', '/bin'].join(':') });
  const engine = createRequire(import.meta.url)('carbone') as Carbone;
  engine.set({ factories, startFactory: true, tempPath: folder });
  const convert = (docx: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      engine.convert(docx, { convertTo: 'pdf', extension: 'docx' }, (error, pdf) => {
        if (error || !pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) reject(new Error(`carbone: ${String(error)}`));
        else resolve(pdf);
      });
    });
  const { exit } = createRequire(import.meta.url)('carbone/lib/converter') as { exit(done: () => void): void };
  return {
    name: `carbone, ${factories} factory(ies)`,
    convert: ({ docx }, count) => timed(() => inParallel(factories, count, () => convert(docx))),
    close: () => new Promise((resolve) => exit(resolve)),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function inParallel(lanes: number, count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
