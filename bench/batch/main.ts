import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { callInteractively, type Latencies } from './interactive.ts';
import { type Format, orderBatch, orderSingles, type Span, untilEnded } from './orders.ts';
import { type Stack, startStack, type Tenant } from './stack.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    json: { type: 'boolean' },
    format: { type: 'string', default: 'docx' },
    rows: { type: 'string', default: '10000' },
    lane: { type: 'string', default: '3000' },
    calls: { type: 'string', default: '150' },
  },
});
const format: Format = values.format === 'pdf' ? 'pdf' : 'docx';
const batchRows = Number(values.rows);
const laneRows = Number(values.lane);
const calls = Number(values.calls);

interface Findings {
  readonly format: Format;
  readonly machine: { readonly cores: number; readonly model: string; readonly loadBefore: number };
  readonly idle: Latencies;
  readonly laneMaximum: Span;
  readonly batchAlone: Span;
  readonly batchWithCalls: Span;
  readonly duringBatch: Latencies;
  readonly threeAccounts: readonly Span[];
  readonly ratios: Readonly<Record<string, number>>;
}

async function measure(stack: Stack): Promise<Findings> {
  const loadBefore = loadavg()[0] ?? 0;
  const caller = await stack.tenant('letter');
  const tenants = await Promise.all([0, 1, 2].map(() => stack.tenant('letter')));
  const [tenant] = tenants as [Tenant];
  await callInteractively(stack, caller, format, (count) => count === 30);
  await untilEnded(stack, await orderBatch(stack, tenant, 50, format));
  say('idle calls');
  const idle = await callInteractively(stack, caller, format, (count) => count === calls);
  say('the lane alone');
  const laneMaximum = await untilEnded(stack, await orderSingles(stack, tenant, laneRows, format));
  say('a batch alone');
  const batchAlone = await untilEnded(stack, await orderBatch(stack, tenant, laneRows, format));
  say('a batch and calls');
  const { batchWithCalls, duringBatch } = await withCalls(stack, caller, tenant);
  say('three accounts');
  const orders = await Promise.all(tenants.map((one) => orderBatch(stack, one, Math.ceil(laneRows / 3), format)));
  const threeAccounts = await Promise.all(orders.map((order) => untilEnded(stack, order)));
  const seconds = threeAccounts.map((span) => span.seconds);
  return {
    format,
    machine: { cores: cpus().length, model: cpus()[0]?.model ?? '', loadBefore },
    idle,
    laneMaximum,
    batchAlone,
    batchWithCalls,
    duringBatch,
    threeAccounts,
    ratios: {
      'interactive p95, batch running / idle': duringBatch.p95Ms / idle.p95Ms,
      'batch throughput / lane maximum': batchAlone.perSecond / laneMaximum.perSecond,
      'batch throughput with interactive calls / lane maximum': batchWithCalls.perSecond / laneMaximum.perSecond,
      'three accounts, first end / last end': Math.min(...seconds) / Math.max(...seconds),
    },
  };
}

async function withCalls(stack: Stack, caller: Tenant, tenant: Tenant) {
  const order = await orderBatch(stack, tenant, batchRows, format);
  let isOver = false;
  const ending = untilEnded(stack, order).finally(() => {
    isOver = true;
  });
  const duringBatch = await callInteractively(stack, caller, format, () => isOver);
  return { batchWithCalls: await ending, duringBatch };
}

function say(text: string): void {
  if (values.json !== true) process.stderr.write(`${text}\n`);
}

const stack = await startStack();
try {
  const findings = await measure(stack);
  if (values.json === true) process.stdout.write(`${JSON.stringify(findings)}\n`);
  else {
    const { idle, duringBatch, laneMaximum, batchAlone, batchWithCalls } = findings;
    const lines = [
      `calls: idle median ${idle.medianMs} ms, p95 ${idle.p95Ms} ms; with a batch ${duringBatch.medianMs} ms, p95 ${duringBatch.p95Ms} ms`,
      `rows per second: lane ${laneMaximum.perSecond.toFixed(1)}, batch ${batchAlone.perSecond.toFixed(1)}, with calls ${batchWithCalls.perSecond.toFixed(1)}`,
      ...Object.entries(findings.ratios).map(([name, ratio]) => `${ratio.toFixed(2)}  ${name}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
} finally {
  await stack.close();
}
