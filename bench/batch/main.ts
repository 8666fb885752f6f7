import { readOptions } from '../harness/options.ts';
import { closeFrame, type Figure, lineOf, openFrame, print } from '../harness/report.ts';
import { measureCalls } from './measure-calls.ts';
import { measureAccounts, measureWeights } from './measure-shares.ts';
import { measureThroughput } from './measure-throughput.ts';
import type { Format } from './orders.ts';
import { type Stack, startStack } from './stack.ts';

const options = readOptions({ rounds: 3, quickRounds: 1, own: ['format', 'parts', 'rows', 'lane', 'calls', 'set'] });
const { own, quick, rounds } = options;
const isPdf = own.format === 'pdf';
const format: Format = isPdf ? 'pdf' : 'docx';
const plan = {
  format,
  rounds,
  /** Of the batch beside which calls are made. */
  rows: Number(own.rows ?? (quick ? 300 : 10_000)),
  /** Of every other order. */
  laneRows: Number(own.lane ?? (quick ? 150 : isPdf ? 400 : 2_000)),
  calls: Number(own.calls ?? (quick ? 30 : 300)),
};

interface Outcome {
  readonly figures: readonly Figure[];
  readonly raw: unknown;
}

const parts: Readonly<Record<string, (stack: Stack) => Promise<Outcome>>> = {
  calls: (stack) => measureCalls(stack, plan),
  throughput: (stack) => measureThroughput(stack, plan),
  accounts: (stack) => measureAccounts(stack, format, plan.laneRows),
  weights: (stack) => measureWeights(stack, format, plan.laneRows),
};

const chosen = own.parts?.split(',') ?? Object.keys(parts);
const frame = openFrame('batch', isPdf ? ['LibreOffice', 'Redis'] : ['Redis'], ['bullmq', 'ioredis', 'pg']);
/** `--set BATCH_NICENESS=5,BATCH_WINDOW=64`: other settings than the defaults, to see what they do. */
const settings = Object.fromEntries(
  (own.set ?? '').split(',').flatMap((one) => {
    const [name, value] = one.split('=');
    return name && value !== undefined ? [[name, value]] : [];
  }),
);
const stack = await startStack(settings);
const outcomes: [string, Outcome][] = [];
try {
  for (const name of chosen) {
    const measure = parts[name];
    if (measure === undefined) throw new Error(`there is no part ${name}`);
    process.stderr.write(`${name}\n`);
    const outcome = await measure(stack);
    outcomes.push([name, outcome]);
    process.stderr.write(`${outcome.figures.map(lineOf).join('\n')}\n`);
  }
} finally {
  await stack.close();
}
const figures = outcomes.flatMap(([, outcome]) => outcome.figures);
const raw = Object.fromEntries(outcomes.map(([name, outcome]) => [name, outcome.raw]));
print(closeFrame(frame, { ...plan, parts: chosen, settings }, figures, raw), options);
