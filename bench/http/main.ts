import { availableParallelism } from 'node:os';
import { stageNames } from '../../src/shared/stages.ts';
import { installContenders } from '../contenders/packages.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, openFrame, publish } from '../harness/report.ts';
import { median, quantile } from '../harness/statistics.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';
import { type HttpSample, type HttpSamples, rawOf } from './compare.ts';
import { measureHttp } from './measure.ts';
import { planOf } from './plan.ts';

const options = readOptions({
  rounds: 7,
  quickRounds: 3,
  values: ['format', 'example', 'rows', 'concurrency', 'run-ms'],
});
const plan = planOf(options);
installContenders();
const packages = ['docxtemplater', 'pizzip', 'carbone', 'bullmq', 'hono', 'pg'];
const frame = openFrame('http', ['LibreOffice', 'Redis'], packages);
const factories = availableParallelism();
const { samples, figures } = await withTemporaryFolder((folder) => measureHttp(plan, { factories, folder }));
const raw = Object.fromEntries(Array.from(samples, ([name, each]) => [name, rawOf(each)]));
publish(closeFrame(frame, { ...plan, quick: options.quick, factories }, figures, raw), options, tableOf(samples));

/** Throughput, latency, processor time and stages of each contender, as medians over the rounds. */
function tableOf(all: ReadonlyMap<string, HttpSamples>): string[] {
  const runs = [...all.values()].flatMap((each) => [...each.values()].flat());
  const worst = Math.max(...runs.map(({ foreignShare }) => foreignShare));
  return [
    ...[...all].flatMap(([name, each]) => [name, ...Array.from(each, ([contender, own]) => linesOf(contender, own))]),
    `other programs used at most ${(worst * 100).toFixed(0)} % of the machine during a run`,
  ];
}

function linesOf(contender: string, runs: readonly HttpSample[]): string {
  const of = (read: (run: HttpSample) => number, digits: number): string => median(runs.map(read)).toFixed(digits);
  const processes = [...new Set(runs.flatMap((run) => Object.keys(run.processorMsPerDocument)))];
  const used = processes.map((name) => `${name} ${of((run) => run.processorMsPerDocument[name] ?? 0, 2)}`);
  const latency = (share: number): string => of(({ latenciesMs }) => quantile(latenciesMs, share), 2);
  const rate = `${of((run) => run.perSecond, 1)}/s, median ${latency(0.5)} ms, p95 ${latency(0.95)} ms`;
  const stages = new Set(runs.flatMap((run) => Object.keys(run.stageMs)));
  const spent = stageNames
    .filter((stage) => stages.has(stage))
    .map((stage) => `${stage} ${of((run) => run.stageMs[stage] ?? 0, 2)}`);
  return [
    `  ${contender}: ${rate}`,
    ...(used.length > 0 ? [`    processor ms per document: ${used.join(', ')}`] : []),
    ...(spent.length > 0 ? [`    ms per stage: ${spent.join(', ')}`] : []),
  ].join('\n');
}
