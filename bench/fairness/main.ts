import { readOptions } from '../harness/options.ts';
import { atMost, closeFrame, type Figure, figure, isReached, openFrame, publish } from '../harness/report.ts';
import { median, quantile } from '../harness/statistics.ts';
import { formats } from './measure-calls.ts';
import { type Case, type CaseResult, measureCase } from './measure-case.ts';
import { isScenario, type ScenarioName, scenarios } from './scenarios.ts';

const options = readOptions({
  rounds: 1,
  quickRounds: 1,
  values: ['scenarios', 'parallel', 'calls'],
  flags: ['check'],
});
const { values, quick, flags } = options;
const plan = {
  calls: Number(values.calls ?? (quick ? 20 : 60)),
  atLeastMs: quick ? 6_000 : 12_000,
  withinMs: 45_000,
  callLimitMs: 30_000,
};

function casesOf(): readonly Case[] {
  const names = values.scenarios?.split(',') ?? (quick ? ['hangs', 'renders'] : Object.keys(scenarios));
  const unknown = names.filter((name) => !isScenario(name));
  if (unknown.length > 0) throw new Error(`no scenario is called ${unknown.join(', ')}`);
  const parallel = (values.parallel ?? (quick ? '8' : '8,64')).split(',').map(Number);
  const isFlood = (name: ScenarioName): boolean => 'isFlood' in scenarios[name];
  return names.filter(isScenario).flatMap((scenario) => {
    const loads = isFlood(scenario) ? [0] : parallel;
    return loads.map((each) => ({ scenario, parallel: each }));
  });
}

function nameOf({ scenario, parallel }: Case): string {
  return parallel === 0 ? scenario : `${scenario} × ${parallel}`;
}

/** The other account's latency during the load, relative to its latency alone. */
function figuresOf(result: CaseResult): readonly Figure[] {
  const { alone, beside, after } = result;
  return formats.flatMap((format) => {
    const name = `${nameOf(result)}: ${format}`;
    const p95 = ({ latenciesMs }: (typeof alone)['docx']): number => quantile(latenciesMs, 0.95);
    const failed = beside[format].failures.length + after[format].failures.length;
    return [
      figure(`${name}, p95 beside / alone`, 'times', [p95(beside[format]) / p95(alone[format])], atMost(3)),
      figure(
        `${name}, median after / alone`,
        'times',
        [median(after[format].latenciesMs) / median(alone[format].latenciesMs)],
        atMost(2),
      ),
      figure(`${name}, failed calls`, '', [failed], atMost(0)),
    ];
  });
}

function describe(result: CaseResult): readonly string[] {
  const { load, foreignShare } = result;
  const lines = formats.map((format) => {
    const times = (['alone', 'beside', 'after'] as const).map((phase) => {
      const { latenciesMs } = result[phase][format];
      const [p50, p95] = [median(latenciesMs), quantile(latenciesMs, 0.95)].map((each) => each.toFixed(0));
      return `${phase} ${p50}/${p95} ms`;
    });
    const failures = new Set([...result.beside[format].failures, ...result.after[format].failures]);
    return `  ${format}: ${times.join(', ')} (median/p95) ${[...failures].slice(0, 2).join('; ')}`.trimEnd();
  });
  const answers = Object.entries(load.statuses).map(([status, count]) => `${count} × ${status}`);
  const rate = load.perSecond > 0 ? `${load.perSecond.toFixed(0)} requests a second, ` : '';
  return [
    `${nameOf(result)}: ${scenarios[result.scenario].title}`,
    ...lines,
    `  busy account: ${rate}${answers.join(', ') || 'no response yet'}; its client used ${(load.processorShare * 100).toFixed(0)} % of a core, other programs ${(foreignShare * 100).toFixed(0)} % of the machine`,
  ];
}

const frame = openFrame('fairness', ['LibreOffice', 'Redis'], ['bullmq', 'ioredis', 'pg']);
const results: CaseResult[] = [];
for (const each of casesOf()) {
  const result = await measureCase(each, plan);
  results.push(result);
  process.stderr.write(`${describe(result).join('\n')}\n`);
}
const figures = results.flatMap(figuresOf);
publish(closeFrame(frame, plan, figures, results), options);
const missed = figures.filter((each) => !isReached(each));
if (flags.has('check') && missed.length > 0) {
  process.stderr.write(`${missed.length} of ${figures.length} figures miss their goal\n`);
  process.exitCode = 1;
}
