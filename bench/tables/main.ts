import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLogger } from '../../src/shared/logger.ts';
import type { OfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { buildDocx, paragraph } from '../../test/support/documents/docx-builder.ts';
import { longTable } from '../../test/support/documents/long-tables.ts';
import { olderOffice } from '../../test/support/older-office.ts';
import { ensureBuilt } from '../../tools/local/build.ts';
import { projectFolder } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { endedChildrenSeconds, processorSeconds } from '../harness/processor-time.ts';
import { atMost, closeFrame, type Figure, figure, openFrame, publish } from '../harness/report.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';

type Engine = 'LibreOffice' | 'LibreOffice 7.4';

interface Sample {
  readonly engine: Engine;
  readonly rows: number;
  readonly kind: string;
  readonly way: 'in parts' | 'whole';
  readonly pages: number;
  readonly tableParts: number;
  readonly cpuSeconds: number;
  readonly cpuMsPerPage: number;
  /** The same figure for the shortest table, measured directly before and after. */
  readonly shortCpuMsPerPage: number;
}

const options = readOptions({ rounds: 3, quickRounds: 1, values: ['rows'], flags: ['check'] });
const lengths = (options.values.rows ?? (options.quick ? '200,2000' : '200,1000,2000,4000,10000'))
  .split(',')
  .map(Number);
const shortest = Math.min(...lengths);
const longest = Math.max(...lengths);
const longer = lengths.filter((rows) => rows > shortest);
const longestWhole = 2_000;
/** The kernel counts processor time in steps of 10 ms; a short table takes only a dozen of them. */
const shortestRepeats = 10;
/** The maximum processor time per page of the longest tables, relative to the shortest. */
const goal = 1.5;
const header = [['No.', 'Item', 'Quantity', 'Price']];
const wrapping = (row: number): string[] => [
  `${row}`,
  `Item ${'of several words '.repeat((row * row) % 7)}`,
  '2',
  '3.50',
];
const words = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore'.split(
  ' ',
);

/** Rows of 3 to 22 words, all different, because LibreOffice caches computed text across documents. */
function distinctRows(document: number): (row: number) => string[] {
  return (row) => {
    const number = document * 100_003 + row;
    const text = Array.from({ length: 1 + (((number * number) % 97) % 20) }, (_, i) => {
      const choice = (number * 31 + i * i * 17 + i * 7) % 1_009;
      return choice % 4 === 0 ? `${words[choice % words.length]}${number % 9_973}` : words[choice % words.length];
    });
    return [`${row}`, `Item ${number} ${text.join(' ')}`, `${number % 997}`, `${number % 9_973}.50`];
  };
}

/** Builds a table of one kind; `document` counts the measured tables. */
type Table = (rows: number, document: number) => string;
const kinds = {
  'no heading': (rows) => longTable({ rows }),
  'repeated heading': (rows) => longTable({ rows, header }),
  'rows of different heights': (rows) => longTable({ rows, header, cells: wrapping }),
  'distinct texts': (rows, document) => longTable({ rows, header, cells: distinctRows(document) }),
} as const satisfies Readonly<Record<string, Table>>;
let documents = 0;

/**
 * The processor time in seconds of the pool's slot (the agent and LibreOffice), and of the processes that predict page
 * ends.
 */
function usedSeconds(folder: string): number {
  const marks = readdirSync(folder).map((name) => `DOCMILL_SLOT=${name}/`);
  const ours = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1');
      return marks.some((mark) => environment.includes(mark));
    } catch {
      return false;
    }
  });
  return ours.reduce((sum, pid) => sum + processorSeconds(Number(pid)), endedChildrenSeconds(process.pid));
}

interface SlotPool {
  readonly pool: OfficePool;
  readonly folder: string;
}

interface Case {
  readonly engine: Engine;
  readonly kind: keyof typeof kinds;
  readonly rows: number;
  readonly way: Sample['way'];
}

interface Cost {
  readonly pages: number;
  readonly tableParts: number;
  readonly cpuSeconds: number;
}

async function convert({ pool, folder }: SlotPool, { kind, rows, way }: Case, repeats: number): Promise<Cost> {
  const table: Table = kinds[kind];
  let [pages, tableParts] = [0, 0];
  const before = usedSeconds(folder);
  for (let time = 0; time < repeats; time++) {
    const docx = buildDocx({ body: `${paragraph('Report')}${table(rows, documents++)}${paragraph('End')}` });
    // Accessible documents keep their tables whole. The tags cost a little more.
    const result = await pool.convert({ docx, ...(way === 'whole' && { pdf: { accessible: true } }) });
    pages += result.pages;
    tableParts += result.tableParts;
  }
  const cpuSeconds = (usedSeconds(folder) - before) / repeats;
  return { pages: pages / repeats, tableParts: tableParts / repeats, cpuSeconds };
}

const msPerPage = ({ cpuSeconds, pages }: Pick<Cost, 'cpuSeconds' | 'pages'>): number => (cpuSeconds * 1_000) / pages;

/**
 * Measures a table between two halves of the short tables, because the speed of a shared machine can change by half
 * within a minute.
 */
async function measure(pool: SlotPool, subject: Case): Promise<Sample> {
  const short = { ...subject, rows: shortest };
  const before = await convert(pool, short, shortestRepeats / 2);
  const cost = await convert(pool, subject, 1);
  const after = await convert(pool, short, shortestRepeats / 2);
  process.stderr.write('.');
  return {
    ...subject,
    ...cost,
    cpuMsPerPage: msPerPage(cost),
    shortCpuMsPerPage: (msPerPage(before) + msPerPage(after)) / 2,
  };
}

const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

async function measureAll(pool: SlotPool, engine: Engine, measured: readonly number[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const kind of kindNames) await convert(pool, { engine, kind, rows: shortest, way: 'in parts' }, shortestRepeats);
  for (let round = 0; round < options.rounds; round++) {
    for (const kind of kindNames) {
      for (const rows of measured) {
        samples.push(await measure(pool, { engine, kind, rows, way: 'in parts' }));
        if (engine === 'LibreOffice' && rows <= longestWhole && round === 0) {
          samples.push(await measure(pool, { engine, kind, rows, way: 'whole' }));
        }
      }
    }
  }
  process.stderr.write('\n');
  return samples;
}

function figuresOf(samples: readonly Sample[]): Figure[] {
  const nameOf = ({ engine, kind, way }: Sample): string => `${engine}, ${kind}, ${way}`;
  return [...new Set(samples.map(nameOf))].flatMap((name) => {
    const group = samples.filter((one) => nameOf(one) === name);
    return [...new Set(group.map((one) => one.rows))].map((rows) => {
      const about = `${name}: CPU time of a page, ${rows} rows / ${shortest} rows`;
      const ratios = group.filter((one) => one.rows === rows).map((one) => one.cpuMsPerPage / one.shortCpuMsPerPage);
      return figure(about, 'times', ratios, rows === longest ? atMost(goal) : undefined);
    });
  });
}

async function measureEngine(folder: string, engine: Engine): Promise<Sample[]> {
  const sofficePath = engine === 'LibreOffice' ? undefined : olderOffice();
  if (engine !== 'LibreOffice' && sofficePath === undefined) return [];
  const tempDir = join(folder, engine.replaceAll(' ', '-'));
  const pool = await startOfficePool({
    slots: 1,
    sofficePath,
    tempDir,
    convertTimeoutMs: 600_000,
    startTimeoutMs: 120_000,
    recycleAfter: 100_000,
    memoryLimitBytes: 4 * 1024 ** 3,
    logger: createLogger('silent', 'bench'),
  });
  try {
    return await measureAll({ pool, folder: tempDir }, engine, engine === 'LibreOffice' ? longer : [longest]);
  } finally {
    await pool.close();
  }
}

await ensureBuilt(projectFolder, process.env, () => undefined, new AbortController().signal);
// The processes of a production build start without a compiler.
const built = pathToFileURL(join(projectFolder, 'dist/worker/pdf/office/office-pool.js')).href;
const { startOfficePool }: typeof import('../../src/worker/pdf/office/office-pool.ts') = await import(built);
const frame = openFrame('tables', ['LibreOffice'], []);
const samples = await withTemporaryFolder(async (folder) => [
  ...(await measureEngine(folder, 'LibreOffice')),
  ...(options.quick ? [] : await measureEngine(folder, 'LibreOffice 7.4')),
]);
const figures = figuresOf(samples);
const lines = samples.map(
  ({ engine, kind, way, rows, pages, tableParts, cpuSeconds, cpuMsPerPage, shortCpuMsPerPage }) =>
    `${engine}, ${kind}, ${way}: ${rows} rows, ${pages} pages, ${tableParts} parts, ${cpuSeconds.toFixed(2)} s of CPU, ${cpuMsPerPage.toFixed(1)} ms a page; short tables ${shortCpuMsPerPage.toFixed(1)} ms`,
);
publish(closeFrame(frame, { rounds: options.rounds, lengths }, figures, samples), options, lines);
const slow = figures.filter(({ goal: limit, median }) => limit !== undefined && median > limit.value);
if (options.flags.has('check') && slow.length > 0) {
  process.stderr.write(`above ${goal} times: ${slow.map(({ name }) => name).join('; ')}\n`);
  process.exitCode = 1;
}
