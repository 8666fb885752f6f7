import { readFileSync } from 'node:fs';
import { commandOf, descendants, residentBytes } from '../test/faults/harness/measure.ts';
import { documentOf } from './harness/documents.ts';
import { readOptions } from './harness/options.ts';
import { atMost, closeFrame, type Figure, figure, openFrame, publish } from './harness/report.ts';
import { type ServiceStack, startServiceStack, uploadTemplate } from './harness/stack.ts';
import { median, rounded } from './harness/statistics.ts';
import { openService } from './http/contenders.ts';

const options = readOptions({ rounds: 1, quickRounds: 1, values: ['requests', 'steps', 'concurrency'] });
const requests = Number(options.values.requests ?? (options.quick ? 3_000 : 100_000));
const steps = Number(options.values.steps ?? (options.quick ? 10 : 50));
const concurrency = Number(options.values.concurrency ?? 32);
const sampleEveryMs = 500;
const megabyte = 1024 * 1024;

/** Memory in MB at one point in time. */
interface MemorySample {
  /** Resident size of the API. */
  readonly api: number;
  /** The worker and its processes without LibreOffice; shared pages count once. */
  readonly worker: number;
  /** The sum of the resident sizes of the same processes; each includes the shared pages of Node.js. */
  readonly workerResident: number;
  /** The LibreOffice slots. */
  readonly office: number;
}

/** One step of the run: the number of requests completed at its end, and memory during it. */
interface Step {
  readonly requests: number;
  readonly samples: readonly MemorySample[];
}

async function measure(stack: ServiceStack): Promise<Step[]> {
  const document = documentOf('invoice', 10);
  const [apiKey = ''] = await stack.openAccounts(1);
  const templateId = await uploadTemplate(stack.url, apiKey, 'invoice.docx', document.template);
  const service = await openService(stack, { apiKey, templateId }, document, 'docx');
  try {
    const found: Step[] = [{ requests: 0, samples: [readMemory(stack.pids)] }];
    for (let left = steps; left > 0; left--) {
      const samples: MemorySample[] = [];
      const timer = setInterval(() => samples.push(readMemory(stack.pids)), sampleEveryMs);
      const run = { forMs: 0, minDocuments: Math.ceil(requests / steps), concurrency };
      const { documents } = await service.run(run);
      clearInterval(timer);
      samples.push(readMemory(stack.pids));
      const step = { requests: (found.at(-1)?.requests ?? 0) + documents, samples };
      found.push(step);
      if (!options.quick) process.stderr.write(`${lineOf(step)}\n`);
    }
    return found;
  } finally {
    await service.close();
  }
}

/** Needs /proc. `pids` names the first process of the API and of the worker. */
function readMemory(pids: ReadonlyMap<string, number>): MemorySample {
  const [api = -1, worker = -1] = [pids.get('api'), pids.get('worker')];
  const below = descendants(worker);
  const isNode = (pid: number): boolean => commandOf(pid) === process.execPath || commandOf(pid).startsWith('docmill');
  const own = [worker, ...below.filter(isNode)];
  const office = below.filter((pid) => !isNode(pid));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / megabyte;
  return {
    api: residentBytes(api) / megabyte,
    worker: sum(own.map(proportionalBytes)),
    workerResident: sum(own.map(residentBytes)),
    office: sum(office.map(proportionalBytes)),
  };
}

/**
 * The Pss of proc(5), which divides each page by the number of processes that share it. 0 if the process has exited.
 */
function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

function figuresOf(all: readonly Step[]): Figure[] {
  const of = (part: readonly Step[], read: (sample: MemorySample) => number): number[] =>
    part.flatMap(({ samples }) => samples.map((sample) => rounded(read(sample), 1)));
  const fifth = Math.ceil(steps / 5);
  const [early, late] = [all.slice(fifth + 1, 2 * fifth + 1), all.slice(-fifth)];
  const growth = (read: (sample: MemorySample) => number): number => median(of(late, read)) / median(of(early, read));
  const count = all.at(-1)?.requests ?? 0;
  const [api, worker, workerResident] = (['api', 'worker', 'workerResident'] as const).map((part) =>
    of(all.slice(1), (sample) => sample[part]),
  );
  const peak = (values: readonly number[] = []): number[] => [Math.max(...values)];
  const fifths = `last fifth / second fifth of ${count} requests`;
  return [
    figure('API: median resident memory', 'MB', api ?? []),
    figure('API: peak resident memory', 'MB', peak(api), atMost(150)),
    figure(`API: ${fifths}`, 'times', [growth((sample) => sample.api)], atMost(1.1)),
    figure('worker without LibreOffice, shared pages once: peak', 'MB', peak(worker), atMost(300)),
    figure('worker without LibreOffice: peak sum of the resident sizes', 'MB', peak(workerResident)),
    figure(`worker: ${fifths}`, 'times', [growth((sample) => sample.worker)], atMost(1.1)),
  ];
}

/** One line of the curve, with a mark for every ten megabytes used by the API and the worker. */
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
publish(closeFrame(frame, { requests, steps, concurrency }, figuresOf(all), all), options, all.map(lineOf));
