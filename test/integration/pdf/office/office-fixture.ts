import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createLogger } from '../../../../src/shared/logger.ts';
import {
  type OfficePool,
  type OfficePoolOptions,
  startOfficePool,
} from '../../../../src/worker/pdf/office/office-pool.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';

const run = promisify(execFile);
const pollMs = 20;

export interface TestPool {
  readonly pool: OfficePool;
  readonly tempDir: string;
  close(): Promise<void>;
}

export const logger = createLogger('silent', 'office-test');

/** A pool in a separate folder; both are removed at the end of the test. */
export async function startTestPool(overrides: Partial<OfficePoolOptions> = {}): Promise<TestPool> {
  const tempDir = overrides.tempDir ?? (await makeTempDir());
  const pool = await startOfficePool({ ...poolDefaults, tempDir, ...overrides });
  return {
    pool,
    tempDir,
    close: async () => {
      await pool.close();
      await rm(dirname(tempDir), { recursive: true, force: true });
    },
  };
}

/** Limits that no busy machine reaches: tests of a limit have their own. */
export const poolDefaults = {
  slots: 1,
  convertTimeoutMs: 300_000,
  startTimeoutMs: 300_000,
  // A check that meets a process just killed, or waits for a starved one, counts as a kill.
  healthCheckMs: 3_600_000,
  recycleAfter: 1_000,
  memoryLimitBytes: 2 * 1024 ** 3,
  logger,
} as const;

export async function makeTempDir(): Promise<string> {
  const folder = await mkdtemp('/dev/shm/docmill-test-');
  await chmod(folder, 0o711);
  return join(folder, 'pools');
}

export const page = (text: string): Buffer => buildDocx({ body: paragraph(text) });

/** A file of about two kilobytes whose layout takes LibreOffice 7.4 and 25.2 minutes. */
export function endlessDocx(depth = 1_000): Buffer {
  let body = paragraph('deep');
  for (let level = 0; level < depth; level++) {
    body = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>${body}<w:p/></w:tc></w:tr></w:tbl>`;
  }
  return buildDocx({ body: `${body}<w:p/>` });
}

/** What a program of poppler prints about a PDF; `last` are arguments behind the file. */
export async function inspect(
  program: string,
  pdf: Uint8Array,
  options: readonly string[] = [],
  ...last: string[]
): Promise<Buffer> {
  const dir = await mkdtemp('/dev/shm/docmill-pdf-');
  try {
    const path = join(dir, 'document.pdf');
    await writeFile(path, pdf);
    return (await run(program, [...options, path, ...last], { encoding: 'buffer', maxBuffer: 1024 ** 3 })).stdout;
  } finally {
    await rm(dir, { recursive: true });
  }
}

export const textOf = async (pdf: Uint8Array, ...options: string[]): Promise<string> =>
  (await inspect('pdftotext', pdf, options, '-')).toString();

export const infoOf = async (pdf: Uint8Array, ...options: string[]): Promise<string> =>
  (await inspect('pdfinfo', pdf, options)).toString();

/** One line per picture in the PDF. */
export const imagesOf = async (pdf: Uint8Array, ...options: string[]): Promise<string[]> =>
  linesOf(await inspect('pdfimages', pdf, ['-list', ...options]));

/** One line per font in the PDF. */
export const fontsOf = async (pdf: Uint8Array): Promise<string[]> => linesOf(await inspect('pdffonts', pdf));

/** The rows of a table, without its head. */
const linesOf = (table: Buffer): string[] => table.toString().trim().split('\n').slice(2);

/** Pids of every live process that belongs to a pool under `tempDir`, by program name. */
export async function processesOf(tempDir: string, program?: string): Promise<number[]> {
  const pools = (await readdir(tempDir).catch(() => [])).filter((name) => name.startsWith('pool-'));
  return processesMarked(pools, program);
}

/** The LibreOffice of a pool with one slot. */
export async function officePid({ tempDir }: TestPool): Promise<number> {
  const [pid] = await processesOf(tempDir, 'soffice.bin');
  if (pid === undefined) throw new Error('no soffice.bin');
  return pid;
}

export async function processesMarked(pools: readonly string[], program?: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    const name = (await readFile(`/proc/${pid}/comm`, 'latin1').catch(() => '')).trim();
    const isOurs = pools.some((pool) => environment.includes(`DOCMILL_SLOT=${pool}/`));
    if (isOurs && (program === undefined || name === program)) found.push(Number(pid));
  }
  return found;
}

/** Polls a condition until it holds; only the timeout of the test limits the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(pollMs);
}

/** The error that a promise rejects with. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => {
      throw new Error(`expected a failure, got ${typeof value}`);
    },
    (error: unknown) => error,
  );
}

/** Resolves when the processor time of LibreOffice shows that it is converting, or when it has ended. */
export async function atWork(pid: number): Promise<void> {
  const before = await ticksOf(pid);
  await until(async () => (await ticksOf(pid)) >= before + 20);
}

async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat === undefined) return Number.POSITIVE_INFINITY;
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11]);
}

/** Stops a process, and returns when none of its threads runs any more: on a busy machine that takes a while. */
export async function stop(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const tasks = `/proc/${pid}/task`;
  await until(async () => {
    // A thread may end before it is read.
    const read = (task: string) => readFile(`${tasks}/${task}/stat`, 'latin1').catch(() => '');
    const stats = await Promise.all((await readdir(tasks)).map(read));
    return stats.every((stat) => stat.slice(stat.lastIndexOf(')')).startsWith(') T'));
  });
}
