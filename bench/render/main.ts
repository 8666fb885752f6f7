import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../../tools/local/build.ts';
import { engineNames } from '../contenders/engines.ts';
import { installContenders } from '../contenders/packages.ts';
import type { Sample } from '../harness/contender-process.ts';
import { projectFolder } from '../harness/machine.ts';
import { readOptions } from '../harness/options.ts';
import { atMost, closeFrame, type Figure, figure, openFrame, publish } from '../harness/report.ts';
import { samplesOf } from '../harness/rounds.ts';
import { byRound, median, rounded } from '../harness/statistics.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';
import { measureRender, msOf, plainName, renderFigures, type Samples } from './measure.ts';

const options = readOptions({ rounds: 7, quickRounds: 3, values: ['rows', 'engines', 'run-ms'] });
const { rows: rowList = options.quick ? '10,1000' : '10,100,1000,10000', engines, 'run-ms': runText } = options.values;
const rowCounts = rowList.split(',').map(Number);
// The names of our own engines contain a comma; `own` selects both.
const selectedEngines = engines?.split(',') ?? engineNames.map(shortName);
const chosen = engineNames.filter((name) => name === plainName || selectedEngines.includes(shortName(name)));
const runMs = Number(runText ?? (options.quick ? 300 : 700));

function shortName(name: string): string {
  return name.split(',', 1)[0] ?? name;
}

/** How time and memory per row grow when there are ten times as many rows. 1 means linear. */
function growthOf(all: ReadonlyMap<number, Samples>, peaks: ReadonlyMap<number, number>): Figure[] {
  const counts = [...all.keys()].filter((rows) => rows >= 1_000);
  return counts.slice(1).flatMap((rows, index) => {
    const fewer = counts[index] ?? rows;
    const of = (count: number): readonly Sample[] => samplesOf(all.get(count) ?? new Map(), 'own, warm');
    const growth = byRound(of(rows), of(fewer), (a, b) => msOf(a) / rows / (msOf(b) / fewer));
    const name = `own, warm: time per row at ${rows} rows / at ${fewer}`;
    const kilobytes = (((peaks.get(rows) ?? 0) - (peaks.get(fewer) ?? 0)) * 1_024) / (rows - fewer);
    return [
      figure(name, 'times', growth, atMost(1.3)),
      figure(`own, warm: peak memory of the process at ${rows} rows`, 'MB', [peaks.get(rows) ?? 0]),
      figure(`own, warm: memory that each row adds, ${fewer} to ${rows} rows, in KB`, '', [kilobytes]),
    ];
  });
}

/** Peak memory in MB of a process that renders the invoice with this number of rows a few times. */
function peakMemory(rows: number): number {
  const loader = createRequire(import.meta.url).resolve('tsx');
  const script = fileURLToPath(new URL('./render-once.ts', import.meta.url));
  // The heap limits that a worker gives its render processes.
  const args = ['--max-old-space-size=512', '--max-semi-space-size=16', '--import', loader, script, String(rows)];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

installContenders();
await ensureBuilt(projectFolder, process.env, () => undefined, new AbortController().signal);
const packages = ['docxtemplater', 'pizzip', 'carbone', 'easy-template-x', 'docx-templates'];
const frame = openFrame('render', [], packages);
const all = await withTemporaryFolder(async (folder) => {
  const samples = new Map<number, Samples>();
  for (const rows of rowCounts) {
    // The slower engines take seconds for a document of ten thousand rows.
    const rounds = rows >= 10_000 ? Math.min(3, options.rounds) : options.rounds;
    samples.set(rows, await measureRender(chosen, rows, { rounds, runMs, folder }));
  }
  return samples;
});
const peaks = new Map(rowCounts.map((rows) => [rows, rounded(peakMemory(rows), 1)]));
const figures = [...[...all].flatMap(([rows, samples]) => renderFigures(rows, samples)), ...growthOf(all, peaks)];
const raw = {
  peakMegabytes: Object.fromEntries(peaks),
  samples: Object.fromEntries([...all].map(([rows, samples]) => [rows, Object.fromEntries(samples)])),
};
const lines = [...all].map(([rows, samples]) => {
  const times = Array.from(samples, ([name, runs]) => `${name} ${median(runs.map(msOf)).toFixed(2)} ms`);
  return `${rows} rows: ${times.join(', ')}; peak ${peaks.get(rows)} MB`;
});
publish(closeFrame(frame, { rowCounts, runMs, rounds: options.rounds }, figures, raw), options, lines);
