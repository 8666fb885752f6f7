import { parseArgs } from 'node:util';
import { startOtlpReceiver } from '../../test/support/services/otlp-receiver.ts';
import { documentOf } from '../harness/documents.ts';
import { readProcessorTime } from '../harness/processor-time.ts';
import { type ServiceStack, startServiceStack, uploadTemplate } from '../harness/stack.ts';

/**
 * Measures the API's and the worker's processor time per .docx with and without sending spans and log lines to a
 * collector, alternating in one run. Prints the median of the rounds' ratios.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '10' },
    documents: { type: 'string', default: '400' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const documents = Number(values.documents);
const senders = 8;
const parts = ['api', 'worker'] as const;

interface Subject {
  readonly stack: ServiceStack;
  readonly send: () => Promise<void>;
}

const receiver = await startOtlpReceiver();
const plain = await open({});
const traced = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
try {
  for (const subject of [plain, traced]) await measure(subject);
  const samples: { readonly plain: Cost; readonly traced: Cost }[] = [];
  for (let round = 0; round < rounds; round++) {
    const isTracedFirst = round % 2 === 1;
    const first = await measure(isTracedFirst ? traced : plain);
    const second = await measure(isTracedFirst ? plain : traced);
    samples.push(isTracedFirst ? { plain: second, traced: first } : { plain: first, traced: second });
  }
  const figures = parts.map((part) => ({
    part,
    plainMs: median(samples.map((sample) => sample.plain[part])),
    tracedMs: median(samples.map((sample) => sample.traced[part])),
    ratio: median(samples.map((sample) => sample.traced[part] / sample.plain[part])),
  }));
  const spansEach = receiver.spans.length / ((rounds + 1) * documents);
  process.stdout.write(
    `${JSON.stringify({ rounds, documents, spansEach, figures, ...(values.json && { samples }) })}\n`,
  );
} finally {
  await Promise.all([plain.stack.close(), traced.stack.close()]);
  await receiver.close();
}

type Cost = Readonly<Record<(typeof parts)[number], number>>;

async function open(env: Readonly<Record<string, string>>): Promise<Subject> {
  const stack = await startServiceStack({
    LOG_LEVEL: 'info',
    WORKER_QUEUES: 'docx,inspect,mail,webhook,maintenance',
    ...env,
  });
  const [apiKey = ''] = await stack.openAccounts(1);
  const { template, data } = documentOf('invoice', 20);
  const id = await uploadTemplate(stack.url, apiKey, 'invoice.docx', template);
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ data });
  const send = async (): Promise<void> => {
    const answer = await fetch(`${stack.url}/v1/templates/${id}/generate`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`the service responded with ${answer.status}`);
  };
  return { stack, send };
}

/**
 * Processor time per document in milliseconds. Measures beyond the last document, so that the export of its spans is
 * included.
 */
async function measure({ stack, send }: Subject): Promise<Cost> {
  const before = readProcessorTime(stack.pids);
  const jobs = Array.from({ length: documents }).values();
  const work = async (): Promise<void> => {
    for (const _ of jobs) await send();
  };
  await Promise.all(Array.from({ length: senders }, work));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const after = readProcessorTime(stack.pids);
  const each = (part: string): number => (((after[part] ?? 0) - (before[part] ?? 0)) * 1_000) / documents;
  return { api: each('api'), worker: each('worker') };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 1_000) / 1_000;
}
