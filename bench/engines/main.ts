import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '../../src/shared/logger.ts';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { type OfficePool, startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { buildDocx, paragraph } from '../../test/support/documents/docx-builder.ts';
import { projectFolder } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, type Figure, figure, openFrame, publish } from '../harness/report.ts';
import { median } from '../harness/statistics.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';

/** A LibreOffice in its jail, measured by CPU time, which is least affected by other programs on the machine. */
interface Engine {
  readonly name: string;
  readonly pool: OfficePool;
  readonly folder: string;
  readonly startCpuMs: number;
}

interface Round {
  readonly engine: string;
  readonly document: string;
  readonly cpuMs: number;
  readonly pdfBytes: number;
}

const options = readOptions({ rounds: 9, quickRounds: 3 });
const perRound = 20;
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const onePage = 'one page';

const documents = new Map([
  [onePage, buildDocx({ body: paragraph('One page of text.').repeat(20) })],
  ...['invoice', 'report'].map((name) => [name, filledExample(name)] as const),
]);

function filledExample(name: string): Buffer {
  const read = (file: string): Buffer => readFileSync(join(projectFolder, 'examples', file));
  const template = prepareTemplate(read(`${name}.docx`), 'pdf');
  return Buffer.from(renderTemplate(template, read(`${name}.json`)).file);
}

async function startEngine(folder: string, sofficePath: string | undefined): Promise<Engine> {
  const pool = await startOfficePool({
    slots: 1,
    convertTimeoutMs: 60_000,
    startTimeoutMs: 120_000,
    recycleAfter: 100_000,
    memoryLimitBytes: 2 * 1024 ** 3,
    tempDir: folder,
    healthCheckMs: 3_600_000,
    logger: createLogger('silent', 'bench'),
    sofficePath,
  });
  const version = pool.status().engine?.version ?? '';
  return { name: version.split('.').slice(0, 2).join('.'), pool, folder, startCpuMs: cpuMs(folder) };
}

/** The processes of the single slot: LibreOffice and its agent. */
function processesOf(folder: string): string[] {
  const marks = readdirSync(folder).map((name) => `DOCMILL_SLOT=${name}/`);
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || !/^(soffice|python)/.test(read(`/proc/${name}/comm`))) return false;
    const environment = read(`/proc/${name}/environ`);
    return marks.some((mark) => environment.includes(mark));
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function cpuMs(folder: string): number {
  const ticks = processesOf(folder).map((pid) => {
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  });
  return (ticks.reduce((sum, own) => sum + own, 0) * 1_000) / ticksPerSecond;
}

/** A slot's memory in megabytes: resident, and proportional, where shared pages are divided among the processes. */
function memoryOf(folder: string): { readonly rss: number; readonly pss: number } {
  const sum = (field: string): number =>
    processesOf(folder)
      .map((pid) =>
        Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
      )
      .reduce((total, own) => total + own, 0) / 1_024;
  return { rss: sum('Rss'), pss: sum('Pss') };
}

async function runRound(engine: Engine, document: string, docx: Uint8Array): Promise<Round> {
  const before = cpuMs(engine.folder);
  let pdfBytes = 0;
  for (let done = 0; done < perRound; done++) pdfBytes = (await engine.pool.convert({ docx })).pdf.length;
  return { engine: engine.name, document, cpuMs: (cpuMs(engine.folder) - before) / perRound, pdfBytes };
}

async function compare(engines: readonly Engine[]): Promise<Round[]> {
  const rounds: Round[] = [];
  for (const [document, docx] of documents) {
    for (const engine of engines) await runRound(engine, document, docx);
    for (let round = 0; round < options.rounds; round++) {
      const turn = round % 2 === 0 ? engines : engines.toReversed();
      for (const engine of turn) rounds.push(await runRound(engine, document, docx));
    }
  }
  return rounds;
}

function figuresOf(rounds: readonly Round[], older: string, newer: string): Figure[] {
  const cpuOf = (engine: string, document: string) =>
    rounds.filter((round) => round.engine === engine && round.document === document).map((round) => round.cpuMs);
  return [...documents.keys()].flatMap((document) => {
    const [before, after] = [cpuOf(older, document), cpuOf(newer, document)];
    const ratios = after.map((ms, round) => ms / (before[round] ?? Number.NaN));
    return [
      figure(`CPU of ${document}, ${older}`, 'ms', before),
      figure(`CPU of ${document}, ${newer}`, 'ms', after),
      figure(`CPU of ${document}, ${newer} to ${older}`, 'times', ratios),
    ];
  });
}

function lineOf({ name, folder, startCpuMs }: Engine, rounds: readonly Round[]): string {
  const { rss, pss } = memoryOf(folder);
  const sizes = [...documents.keys()].map((document) => {
    const found = rounds.filter((round) => round.engine === name && round.document === document);
    return `${document} ${median(found.map(({ pdfBytes }) => pdfBytes))} bytes`;
  });
  const memory = `resident ${rss.toFixed(0)} MB, its share ${pss.toFixed(0)} MB`;
  return `${name}: start ${startCpuMs.toFixed(0)} ms of CPU; slot after the run: ${memory}; PDFs: ${sizes.join(', ')}`;
}

const frame = openFrame('engines', [], []);
await withTemporaryFolder(async (folder) => {
  // LibreOffice runs as another user, who needs access.
  chmodSync(folder, 0o711);
  const older = execFileSync(join(projectFolder, 'scripts/older-office'), ['--install'], { encoding: 'utf8' }).trim();
  const engines: Engine[] = [];
  try {
    engines.push(await startEngine(join(folder, 'older'), older));
    engines.push(await startEngine(join(folder, 'system'), undefined));
    const rounds = await compare(engines);
    const lines = engines.map((engine) => lineOf(engine, rounds));
    const figures = figuresOf(rounds, engines[0]?.name ?? '', engines[1]?.name ?? '');
    publish(closeFrame(frame, { perRound }, figures, rounds), options, lines);
  } finally {
    for (const { pool } of engines) await pool.close();
  }
});
