import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '../../src/shared/logger.ts';
import { type OfficePool, startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { buildDocx, paragraph } from '../../test/support/documents/docx-builder.ts';
import { longTable } from '../../test/support/documents/long-tables.ts';
import { readOptions } from '../harness/options.ts';
import { processorSeconds } from '../harness/processor-time.ts';
import { atMost, closeFrame, type Figure, figure, openFrame, publish } from '../harness/report.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';

interface Sample {
  readonly rows: number;
  readonly kind: string;
  readonly way: 'in parts' | 'whole';
  readonly pages: number;
  readonly tableParts: number;
  readonly cpuSeconds: number;
  readonly cpuMsPerPage: number;
}

const options = readOptions({ rounds: 3, quickRounds: 1, values: ['rows'] });
const lengths = (options.values.rows ?? (options.quick ? '200,2000' : '200,1000,2000,4000,10000'))
  .split(',')
  .map(Number);
const longestWhole = 4_000;
/** A slot's share of the pages of a short table: the goal of long ones. */
const goal = 1.5;
const header = [['No.', 'Item', 'Quantity', 'Price']];
const wrapping = (row: number): string[] => [
  `${row}`,
  `Item ${'of several words '.repeat((row * row) % 7)}`,
  '2',
  '3.50',
];
const kinds = {
  'no heading': (rows: number) => longTable({ rows }),
  'repeated heading': (rows: number) => longTable({ rows, header }),
  'rows of different heights': (rows: number) => longTable({ rows, header, cells: wrapping }),
} as const;

/** Seconds of processor time of the slot's processes: the agent and LibreOffice. */
function slotSeconds(): number {
  const ours = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(`DOCMILL_SLOT=`);
    } catch {
      return false;
    }
  });
  return ours.reduce((sum, pid) => sum + processorSeconds(Number(pid)), 0);
}

async function measure(pool: OfficePool, kind: keyof typeof kinds, rows: number, way: Sample['way']): Promise<Sample> {
  const docx = buildDocx({ body: `${paragraph('Report')}${kinds[kind](rows)}${paragraph('End')}` });
  const before = slotSeconds();
  // Accessible documents keep their tables whole. The tags cost a little more.
  const { pages, tableParts } = await pool.convert({ docx, ...(way === 'whole' && { pdf: { accessible: true } }) });
  const cpuSeconds = slotSeconds() - before;
  return { rows, kind, way, pages, tableParts, cpuSeconds, cpuMsPerPage: (cpuSeconds * 1_000) / pages };
}

async function measureAll(pool: OfficePool): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) await measure(pool, kind, 200, 'in parts');
  for (let round = 0; round < options.rounds; round++) {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      for (const rows of lengths) {
        samples.push(await measure(pool, kind, rows, 'in parts'));
        if (rows <= longestWhole) samples.push(await measure(pool, kind, rows, 'whole'));
        process.stderr.write('.');
      }
    }
  }
  process.stderr.write('\n');
  return samples;
}

/** Processor time of a page, relative to a table of the shortest length in the same round. */
function ratios(samples: readonly Sample[], kind: string, way: Sample['way'], rows: number): number[] {
  const of = (length: number): number[] =>
    samples.filter((one) => one.kind === kind && one.way === way && one.rows === length).map((one) => one.cpuMsPerPage);
  const shortest = of(Math.min(...lengths));
  return of(rows).map((ms, round) => ms / (shortest[round] ?? Number.NaN));
}

function figuresOf(samples: readonly Sample[]): Figure[] {
  return Object.keys(kinds).flatMap((kind) =>
    (['in parts', 'whole'] as const).flatMap((way) =>
      lengths
        .filter((rows) => rows > Math.min(...lengths) && (way === 'in parts' || rows <= longestWhole))
        .map((rows) => {
          const name = `${kind}, ${way}: CPU time of a page, ${rows} rows / ${Math.min(...lengths)} rows`;
          return figure(name, 'times', ratios(samples, kind, way, rows), way === 'in parts' ? atMost(goal) : undefined);
        }),
    ),
  );
}

const frame = openFrame('tables', ['LibreOffice'], []);
const samples = await withTemporaryFolder(async (folder) => {
  const pool = await startOfficePool({
    slots: 1,
    tempDir: join(folder, 'pools'),
    convertTimeoutMs: 600_000,
    startTimeoutMs: 120_000,
    recycleAfter: 100_000,
    memoryLimitBytes: 4 * 1024 ** 3,
    logger: createLogger('silent', 'bench'),
  });
  try {
    return await measureAll(pool);
  } finally {
    await pool.close();
  }
});
const lines = samples.map(
  ({ kind, way, rows, pages, tableParts, cpuSeconds, cpuMsPerPage }) =>
    `${kind}, ${way}: ${rows} rows, ${pages} pages, ${tableParts} parts, ${cpuSeconds.toFixed(2)} s of CPU, ${cpuMsPerPage.toFixed(1)} ms a page`,
);
publish(closeFrame(frame, { rounds: options.rounds, lengths }, figuresOf(samples), samples), options, lines);
