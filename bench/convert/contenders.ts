import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '../../src/shared/logger.ts';
import { startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { startBareLibreOffice } from '../contenders/bare-libreoffice.ts';
import { openCarbone } from '../contenders/carbone.ts';

export interface BenchDocument {
  readonly name: string;
  readonly docx: Buffer;
  /** The number of conversions per round. */
  readonly perRound: number;
}

/** A way of converting. `convert` returns the total milliseconds of `count` conversions of the document. */
export interface Converter {
  readonly name: string;
  readonly convert: (document: BenchDocument, count: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

export async function docmill(slots: number, tempDir: string): Promise<Converter> {
  const pool = await startOfficePool({
    keepsSlotFree: false,
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

export async function bareLibreOffice(folder: string): Promise<Converter> {
  const bare = await startBareLibreOffice(folder);
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

/** A new process for every document. */
export async function convertTo(folder: string): Promise<Converter> {
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

/** The npm package carbone with its own LibreOffice processes. */
export async function carbone(factories: number, folder: string): Promise<Converter> {
  const engine = await openCarbone('pdf', factories, folder);
  return {
    name: `carbone, ${factories} factory(ies)`,
    convert: ({ docx }, count) => timed(() => inParallel(factories, count, () => engine.convert(docx))),
    close: () => engine.close(),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function inParallel(concurrency: number, count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const callRepeatedly = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, callRepeatedly));
}
