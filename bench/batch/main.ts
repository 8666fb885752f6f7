import { readOptions } from '../harness/options.ts';
import { closeFrame, type Figure, lineOf, openFrame, publish } from '../harness/report.ts';
import { measureCalls } from './measure-calls.ts';
import { measureAccounts, measureWeights } from './measure-shares.ts';
import { measureThroughput } from './measure-throughput.ts';
import type { Format } from './requests.ts';
import { type BatchStack, startBatchStack } from './stack.ts';

const options = readOptions({
  rounds: 3,
  quickRounds: 1,
  values: ['format', 'parts', 'rows', 'queue-rows', 'calls', 'set'],
});
const { values, quick, rounds } = options;
const isPdf = values.format === 'pdf';
const format: Format = isPdf ? 'pdf' : 'docx';
const plan = {
  format,
  rounds,
  /** Rows in the batch that runs during the calls. */
  rows: Number(values.rows ?? (quick ? 300 : 10_000)),
  /** Rows in every other batch. */
  queueRows: Number(values['queue-rows'] ?? (quick ? 150 : isPdf ? 400 : 2_000)),
  calls: Number(values.calls ?? (quick ? 30 : 300)),
};

interface Outcome {
  readonly figures: readonly Figure[];
  readonly raw: unknown;
}

const parts: Readonly<Record<string, (stack: BatchStack) => Promise<Outcome>>> = {
  calls: (stack) => measureCalls(stack, plan),
  throughput: (stack) => measureThroughput(stack, plan),
  accounts: (stack) => measureAccounts(stack, format, plan.queueRows),
  weights: (stack) => measureWeights(stack, format, plan.queueRows),
};

const chosen = values.parts?.split(',') ?? Object.keys(parts);
const frame = openFrame('batch', isPdf ? ['LibreOffice', 'Redis'] : ['Redis'], ['bullmq', 'ioredis', 'pg']);
/** `--set BATCH_NICENESS=5,BATCH_WINDOW=64` overrides default settings. */
const settings = Object.fromEntries(
  (values.set ?? '').split(',').flatMap((one) => {
    const [name, value] = one.split('=');
    return name && value !== undefined ? [[name, value]] : [];
  }),
);
const stack = await startBatchStack(settings);
const outcomes: [string, Outcome][] = [];
try {
  for (const name of chosen) {
    const measure = parts[name];
    if (measure === undefined) throw new Error(`${name} is not one of ${Object.keys(parts).join(', ')}`);
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
publish(closeFrame(frame, { ...plan, parts: chosen, settings }, figures, raw), options);
