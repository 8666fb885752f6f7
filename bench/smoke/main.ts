import { availableParallelism } from 'node:os';
import { installContenders } from '../contenders/packages.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, type Figure, openFrame, publish } from '../harness/report.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';
import { rawOf } from '../http/compare.ts';
import { measureHttp } from '../http/measure.ts';
import type { HttpPlan } from '../http/plan.ts';
import { measureRender, plainName, renderFigures } from '../render/measure.ts';
import { compareWithBaseline, readBaseline, writeBaseline } from './baseline.ts';

const options = readOptions({ rounds: 7, quickRounds: 3, flags: ['check', 'write'] });
const { quick, rounds } = options;
const factories = availableParallelism();
const plan: HttpPlan = {
  formats: quick ? ['docx'] : ['docx', 'pdf'],
  example: 'invoice',
  rows: [10],
  concurrency: [1, 32],
  rounds,
  runMs: quick ? 700 : 1_000,
  warmUpMs: 4_000,
};

/** The figures that decide about a release, measured in less than three minutes. */
async function measure(folder: string): Promise<{ readonly figures: readonly Figure[]; readonly raw: object }> {
  const http = await measureHttp(plan, { factories, folder });
  // The speed of carbone for a .docx varies by a factor of 1.6 between processes, which is too unstable for a
  // comparison.
  const figures = http.figures.filter(({ name }) => !/^docx.*carbone/.test(name));
  for (const rows of [10, 1_000]) {
    const samples = await measureRender(['own, warm', plainName], rows, { rounds, runMs: 500, folder });
    figures.push(...renderFigures(rows, samples));
  }
  return { figures, raw: Object.fromEntries(Array.from(http.samples, ([name, each]) => [name, rawOf(each)])) };
}

function check(figures: readonly Figure[]): void {
  const baseline = readBaseline();
  if (baseline === undefined) throw new Error('bench/baseline.json is missing; create it with --write');
  const compared = compareWithBaseline(figures, baseline);
  const print = (text: string): boolean => process.stderr.write(`${text}\n`);
  const { model, cores } = baseline.machine;
  if (model !== frame.machine.model || cores !== frame.machine.cores)
    print(`the baseline is from ${cores} cores of ${model}; ratios differ slightly between machines`);
  for (const { name, verdict, text } of compared) print(`${verdict.padEnd(9)}  ${name}: ${text}`);
  const worse = compared.filter(({ verdict }) => verdict === 'worse');
  const noisy = compared.filter(({ verdict }) => verdict === 'too noisy');
  if (noisy.length > 0) print(`${noisy.length} figures are too noisy to compare; run again on an idle machine`);
  print(worse.length > 0 ? `${worse.length} figures are worse than at commit ${baseline.commit}` : 'nothing is worse');
  if (worse.length > 0) process.exitCode = 1;
}

installContenders();
const frame = openFrame('smoke', ['LibreOffice', 'Redis'], ['docxtemplater', 'pizzip', 'carbone']);
const { figures, raw } = await withTemporaryFolder(measure);
const report = closeFrame(frame, { formats: plan.formats, rounds }, figures, raw);
publish(report, options);
if (options.flags.has('write')) writeBaseline(report);
if (options.flags.has('check')) check(figures);
