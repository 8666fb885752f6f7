import { renderPlain } from '../contenders/plain.ts';
import { wordsOf } from '../contenders/text-of.ts';
import { documentOf } from '../harness/documents.ts';
import { readOptions } from '../harness/options.ts';
import { atMost, closeFrame, type Figure, figure, openFrame, print } from '../harness/report.ts';
import { startSide } from '../harness/side-process.ts';
import { type ServiceStack, startServiceStack } from '../harness/stack.ts';
import { median, rounded } from '../harness/statistics.ts';
import { type MemorySample, readMemory } from './read-memory.ts';

const options = readOptions({ rounds: 1, quickRounds: 1, own: ['requests', 'steps', 'concurrency'] });
const requests = Number(options.own.requests ?? (options.quick ? 3_000 : 100_000));
const steps = Number(options.own.steps ?? (options.quick ? 10 : 50));
const lanes = Number(options.own.concurrency ?? 32);
const sampleEveryMs = 500;

/** One step of the run: how many requests had been answered at its end, and what memory was like during it. */
interface Step {
  readonly requests: number;
  readonly samples: readonly MemorySample[];
}

async function measure(stack: ServiceStack): Promise<Step[]> {
  const { template, data } = documentOf('invoice', 10);
  const apiKey = await stack.openAccount();
  const templateId = await stack.upload(apiKey, 'invoice.docx', template);
  const side = await startSide(new URL('../http/http-side.ts', import.meta.url), {
    url: stack.url,
    path: `/v1/templates/${templateId}/generate`,
    apiKey,
    body: JSON.stringify({ data, output: { format: 'docx' } }),
    magic: 'PK',
    words: wordsOf(renderPlain(template, data)),
  });
  try {
    const found: Step[] = [{ requests: 0, samples: [readMemory(stack.pids)] }];
    for (let left = steps; left > 0; left--) {
      const samples: MemorySample[] = [];
      const timer = setInterval(() => samples.push(readMemory(stack.pids)), sampleEveryMs);
      const { documents } = await side.run({ forMs: 0, atLeast: Math.ceil(requests / steps), lanes });
      clearInterval(timer);
      samples.push(readMemory(stack.pids));
      const step = { requests: (found.at(-1)?.requests ?? 0) + documents, samples };
      found.push(step);
      if (!options.quick) process.stderr.write(`${lineOf(step)}\n`);
    }
    return found;
  } finally {
    await side.close();
  }
}

function figuresOf(all: readonly Step[]): Figure[] {
  const of = (part: readonly Step[], read: (sample: MemorySample) => number): number[] =>
    part.flatMap(({ samples }) => samples.map((sample) => rounded(read(sample), 1)));
  const fifth = Math.ceil(steps / 5);
  const [early, late] = [all.slice(fifth + 1, 2 * fifth + 1), all.slice(-fifth)];
  const growth = (read: (sample: MemorySample) => number): number => median(of(late, read)) / median(of(early, read));
  const count = all.at(-1)?.requests ?? 0;
  const rest = all.slice(1);
  return [
    figure(
      'API: resident memory, median of the run',
      'MB',
      of(rest, ({ api }) => api),
    ),
    figure('API: resident memory at most', 'MB', [Math.max(...of(rest, ({ api }) => api))], atMost(150)),
    figure(`API: last fifth / second fifth of ${count} requests`, 'times', [growth(({ api }) => api)], atMost(1.1)),
    figure(
      'worker beside LibreOffice, shared pages once: at most',
      'MB',
      [Math.max(...of(rest, ({ worker }) => worker))],
      atMost(300),
    ),
    figure('worker beside LibreOffice: sum of the resident sizes, at most', 'MB', [
      Math.max(...of(rest, ({ workerResident }) => workerResident)),
    ]),
    figure(
      `worker: last fifth / second fifth of ${count} requests`,
      'times',
      [growth(({ worker }) => worker)],
      atMost(1.1),
    ),
  ];
}

/** One line of the run's curve: a mark for each ten megabytes of the API and the worker. */
function lineOf({ requests: count, samples }: Step): string {
  const bar = (megabytes: number): string => '#'.repeat(Math.round(megabytes / 10));
  const api = median(samples.map((sample) => sample.api));
  const worker = median(samples.map((sample) => sample.worker));
  const line = `API ${api.toFixed(0).padStart(4)} ${bar(api).padEnd(20)} worker ${worker.toFixed(0).padStart(4)} ${bar(worker)}`;
  return `${String(count).padStart(7)} ${line}`;
}

const frame = openFrame('memory', ['LibreOffice', 'Redis'], ['docxtemplater', 'bullmq', 'hono', 'pg']);
const stack = await startServiceStack();
let all: Step[];
try {
  all = await measure(stack);
} finally {
  await stack.close();
}
print(closeFrame(frame, { requests, steps, lanes }, figuresOf(all), all), options, all.map(lineOf));
