import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { inFolder } from '../harness/folder.ts';
import { closeFrame, type Figure, openFrame, print } from '../harness/report.ts';
import { rawOf } from '../http/compare.ts';
import { measureHttp } from '../http/measure.ts';
import type { HttpPlan } from '../http/plan.ts';
import { measureRender, plainName, renderFigures } from '../render/measure.ts';
import { readBaseline, writeBaseline } from './baseline.ts';
import { judge } from './judge.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const rounds = values.quick ? 3 : 7;
const factories = availableParallelism();
const plan: HttpPlan = {
  formats: values.quick ? ['docx'] : ['docx', 'pdf'],
  example: 'invoice',
  rows: [10],
  concurrency: [1, 32],
  rounds,
  turnMs: values.quick ? 700 : 1_000,
  warmUpMs: 4_000,
};

/** The figures that a release stands or falls with, in less than three minutes. */
async function measure(folder: string): Promise<{ readonly figures: readonly Figure[]; readonly raw: object }> {
  const http = await measureHttp(plan, { factories, folder });
  // carbone fills a .docx up to 1.6 times as fast in one process as in the next: no ground to judge others from.
  const figures = http.figures.filter(({ name }) => !/^docx.*carbone/.test(name));
  for (const rows of [10, 1_000]) {
    const samples = await measureRender(['own, warm', plainName], rows, { rounds, turnMs: 500, folder });
    figures.push(...renderFigures(rows, samples));
  }
  return { figures, raw: Object.fromEntries(Array.from(http.turnouts, ([name, each]) => [name, rawOf(each)])) };
}

function check(figures: readonly Figure[]): void {
  const baseline = readBaseline();
  if (baseline === undefined) throw new Error('there is no bench/baseline.json: make one with --write');
  const judged = judge(figures, baseline);
  const say = (text: string): boolean => process.stderr.write(`${text}\n`);
  if (baseline.machine.model !== frame.machine.model || baseline.machine.cores !== frame.machine.cores)
    say(
      `the baseline was taken on ${baseline.machine.cores} cores of ${baseline.machine.model}: ratios differ a little`,
    );
  for (const { name, verdict, text } of judged) say(`${verdict.padEnd(9)}  ${name}: ${text}`);
  const worse = judged.filter(({ verdict }) => verdict === 'worse');
  const noisy = judged.filter(({ verdict }) => verdict === 'too noisy');
  if (noisy.length > 0) say(`${noisy.length} figures were too noisy to tell: run it again while the machine is idle`);
  say(worse.length > 0 ? `${worse.length} figures are worse than at commit ${baseline.commit}` : 'nothing is worse');
  if (worse.length > 0) process.exitCode = 1;
}

const frame = openFrame('smoke', ['LibreOffice', 'Redis'], ['docxtemplater', 'pizzip', 'carbone']);
const { figures, raw } = await inFolder(measure);
const report = closeFrame(frame, { formats: plan.formats, rounds }, figures, raw);
print(report, values);
if (values.write) writeBaseline(report);
if (values.check) check(figures);
