import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../src/local/build.ts';
import { documentOf } from '../harness/documents.ts';
import { projectFolder } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { atLeast, atMost, closeFrame, type Figure, figure, openFrame, print } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { type Sample, type SideProcess, startSide } from '../harness/side-process.ts';
import { byRound, median, rounded } from '../harness/statistics.ts';
import { type EngineName, engineNames } from '../sides/engines.ts';
import { installRivals, rivalVersions } from '../sides/install-rivals.ts';
import { renderPlain } from '../sides/plain.ts';
import { wordsOf } from '../sides/text-of.ts';
import { peakMemory } from './peak-memory.ts';

type Samples = ReadonlyMap<string, readonly Sample[]>;

const options = readOptions({ rounds: 7, quickRounds: 3, own: ['rows', 'engines', 'turn'] });
const { rows: rowList = options.quick ? '10,1000' : '10,100,1000,10000', engines, turn } = options.own;
const rowCounts = rowList.split(',').map(Number);
const chosen = engineNames.filter((name) => engines === undefined || engines.split(',').includes(name));
const turnMs = Number(turn ?? (options.quick ? 300 : 700));
const plain: EngineName = 'docxtemplater + pizzip';

/** All engines fill the invoice with so many rows, each in a process and on a thread of its own, one after the other. */
async function measure(rows: number, folder: string): Promise<Samples> {
  const { template, data } = documentOf('invoice', rows);
  const words = wordsOf(renderPlain(template, data));
  const sides: (SideProcess & { readonly name: string })[] = [];
  try {
    for (const engine of chosen) {
      const side = await startSide(new URL('../sides/engine-side.ts', import.meta.url), {
        engine,
        example: 'invoice',
        rows,
        folder,
        words,
      });
      sides.push({ name: engine, ...side });
    }
    const once = { forMs: turnMs, atLeast: 2, lanes: 1 };
    for (const side of sides) await side.run(once);
    const turns = sides.map(({ name, run }) => ({ name, run: () => run({ ...once, atLeast: 1 }) }));
    // The slower engines take seconds for a document of ten thousand rows.
    return await alternate(turns, rows >= 10_000 ? Math.min(3, options.rounds) : options.rounds);
  } finally {
    for (const side of sides) await side.close();
  }
}

function figuresOf(rows: number, samples: Samples): Figure[] {
  const plainTurns = samplesOf(samples, plain);
  return chosen
    .filter((name) => name !== plain)
    .map((name) => {
      const times = byRound(samplesOf(samples, name), plainTurns, (a, b) => msOf(b) / msOf(a));
      const goal = name === 'own, warm' && rows === 10 ? atLeast(2) : undefined;
      return figure(`invoice of ${rows} rows: ${name} / ${plain}`, 'times', times, goal);
    });
}

/** Time and memory for each row as the rows grow tenfold: 1 is linear. */
function growthOf(all: ReadonlyMap<number, Samples>, peaks: ReadonlyMap<number, number>): Figure[] {
  const counts = [...all.keys()].filter((rows) => rows >= 1_000);
  return counts.slice(1).flatMap((rows, index) => {
    const fewer = counts[index] ?? rows;
    const of = (count: number): readonly Sample[] => samplesOf(all.get(count) ?? new Map(), 'own, warm');
    const growth = byRound(of(rows), of(fewer), (a, b) => msOf(a) / rows / (msOf(b) / fewer));
    const name = `own, warm: time a row at ${rows} rows / at ${fewer}`;
    const kilobytes = (((peaks.get(rows) ?? 0) - (peaks.get(fewer) ?? 0)) * 1_024) / (rows - fewer);
    return [
      figure(name, 'times', growth, atMost(1.3)),
      figure(`own, warm: peak memory of the process at ${rows} rows`, 'MB', [peaks.get(rows) ?? 0]),
      figure(`own, warm: memory that each row adds, ${fewer} to ${rows} rows, in KB`, '', [kilobytes]),
    ];
  });
}

function msOf({ latenciesMs }: Sample): number {
  return median(latenciesMs);
}

installRivals();
await ensureBuilt(projectFolder, process.env, () => undefined, new AbortController().signal);
const versioned = openFrame('render', [], ['docxtemplater', 'pizzip', 'carbone']);
const frame = { ...versioned, versions: { ...versioned.versions, ...rivalVersions() } };
const folder = await mkdtemp(join(tmpdir(), 'docmill-bench-'));
try {
  const all = new Map<number, Samples>();
  for (const rows of rowCounts) all.set(rows, await measure(rows, folder));
  const peaks = new Map(rowCounts.map((rows) => [rows, rounded(peakMemory(rows), 1)]));
  const figures = [...[...all].flatMap(([rows, samples]) => figuresOf(rows, samples)), ...growthOf(all, peaks)];
  const raw = {
    peakMegabytes: Object.fromEntries(peaks),
    samples: Object.fromEntries([...all].map(([rows, samples]) => [rows, Object.fromEntries(samples)])),
  };
  const lines = [...all].map(([rows, samples]) => {
    const times = Array.from(samples, ([name, turns]) => `${name} ${median(turns.map(msOf)).toFixed(2)} ms`);
    return `${rows} rows: ${times.join(', ')}; peak ${peaks.get(rows)} MB`;
  });
  print(closeFrame(frame, { rowCounts, turnMs, rounds: options.rounds }, figures, raw), options, lines);
} finally {
  await rm(folder, { recursive: true, force: true });
}
