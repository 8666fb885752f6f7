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
}

const options = readOptions({ rounds: 2, quickRounds: 1, values: ['rows'], flags: ['check'] });
const lengths = (options.values.rows ?? (options.quick ? '200,2000' : '200,1000,2000,4000,10000'))
  .split(',')
  .map(Number);
const shortest = Math.min(...lengths);
const longest = Math.max(...lengths);
const longestWhole = 2_000;
/** The kernel counts processor time in steps of 10 ms, of which a short table takes a dozen. */
const shortestRepeats = 10;
/** A slot's share of the pages of a short table: the goal of long ones. */
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

/** Rows of 3 to 22 words, no two alike: LibreOffice keeps what it has computed for a text, for the next document too. */
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

/** A table of a kind; `document` counts those that were measured. */
type Table = (rows: number, document: number) => string;
const kinds = {
  'no heading': (rows) => longTable({ rows }),
  'repeated heading': (rows) => longTable({ rows, header }),
  'rows of different heights': (rows) => longTable({ rows, header, cells: wrapping }),
  'distinct texts': (rows, document) => longTable({ rows, header, cells: distinctRows(document) }),
} as const satisfies Readonly<Record<string, Table>>;
let documents = 0;

/** Seconds of processor time of the pool's slot, which are the agent and LibreOffice, and of the processes that predict page ends. */
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

async function measure({ pool, folder }: SlotPool, { engine, kind, rows, way }: Case): Promise<Sample> {
  const table: Table = kinds[kind];
  const repeats = rows === shortest ? shortestRepeats : 1;
  const sums = { pages: 0, tableParts: 0 };
  const before = usedSeconds(folder);
  for (let time = 0; time < repeats; time++) {
    const docx = buildDocx({ body: `${paragraph('Report')}${table(rows, documents++)}${paragraph('End')}` });
    // Accessible documents keep their tables whole. The tags cost a little more.
    const result = await pool.convert({ docx, ...(way === 'whole' && { pdf: { accessible: true } }) });
    sums.pages += result.pages;
    sums.tableParts += result.tableParts;
  }
  const cpuSeconds = (usedSeconds(folder) - before) / repeats;
  const pages = sums.pages / repeats;
  const cpuMsPerPage = (cpuSeconds * 1_000) / pages;
  process.stderr.write('.');
  return { engine, rows, kind, way, pages, tableParts: sums.tableParts / repeats, cpuSeconds, cpuMsPerPage };
}

const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

async function measureAll(pool: SlotPool, engine: Engine, measured: readonly number[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const kind of kindNames) await measure(pool, { engine, kind, rows: shortest, way: 'in parts' });
  for (let round = 0; round < (engine === 'LibreOffice' ? options.rounds : 1); round++) {
    for (const kind of kindNames) {
      for (const rows of measured) {
        samples.push(await measure(pool, { engine, kind, rows, way: 'in parts' }));
        if (engine === 'LibreOffice' && rows <= longestWhole) {
          samples.push(await measure(pool, { engine, kind, rows, way: 'whole' }));
        }
      }
    }
  }
  process.stderr.write('\n');
  return samples;
}

/** Processor time of a page, relative to a table of the shortest length in the same round. */
function ratios(samples: readonly Sample[], rows: number): number[] {
  const of = (length: number): number[] => samples.filter((one) => one.rows === length).map((one) => one.cpuMsPerPage);
  const base = of(shortest);
  return of(rows).map((ms, round) => ms / (base[round] ?? Number.NaN));
}

function figuresOf(samples: readonly Sample[]): Figure[] {
  const nameOf = ({ engine, kind, way }: Sample): string => `${engine}, ${kind}, ${way}`;
  return [...new Set(samples.map(nameOf))].flatMap((name) => {
    const group = samples.filter((one) => nameOf(one) === name);
    const limit = group[0]?.way === 'in parts' ? atMost(goal) : undefined;
    return [...new Set(group.map((one) => one.rows))]
      .filter((rows) => rows > shortest)
      .map((rows) => {
        const about = `${name}: CPU time of a page, ${rows} rows / ${shortest} rows`;
        return figure(about, 'times', ratios(group, rows), limit);
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
    return await measureAll(
      { pool, folder: tempDir },
      engine,
      engine === 'LibreOffice' ? lengths : [shortest, longest],
    );
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
  ({ engine, kind, way, rows, pages, tableParts, cpuSeconds, cpuMsPerPage }) =>
    `${engine}, ${kind}, ${way}: ${rows} rows, ${pages} pages, ${tableParts} parts, ${cpuSeconds.toFixed(2)} s of CPU, ${cpuMsPerPage.toFixed(1)} ms a page`,
);
publish(closeFrame(frame, { rounds: options.rounds, lengths }, figures, samples), options, lines);
const slow = figures.filter(({ goal: limit, median }) => limit !== undefined && median > limit.value);
if (options.flags.has('check') && slow.length > 0) {
  process.stderr.write(`above ${goal} times: ${slow.map(({ name }) => name).join('; ')}\n`);
  process.exitCode = 1;
}
