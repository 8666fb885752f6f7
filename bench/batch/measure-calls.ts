import { setTimeout as delay } from 'node:timers/promises';
import { documentOf } from '../harness/documents.ts';
import { atMost, type Figure, figure } from '../harness/report.ts';
import { quantile } from '../harness/statistics.ts';
import { type Format, letters } from './requests.ts';
import type { BatchStack, Tenant } from './stack.ts';

export interface CallsPlan {
  readonly format: Format;
  readonly rows: number;
  /** The number of calls to the idle service: half before the batch, half after it. */
  readonly calls: number;
}

/** When a call was sent, by `performance.now()`, and the latency of its document. */
interface Call {
  readonly atMs: number;
  readonly tookMs: number;
}

/** The times of a batch sent over HTTP, by `performance.now()`. */
interface BatchTimes {
  readonly rows: number;
  readonly sentAtMs: number;
  readonly acceptedAtMs: number;
  /** When all rows had finished and the bundle was started. */
  readonly rowsDoneAtMs: number;
  readonly completedAtMs: number;
}

const callPauseMs = 150;
const pollEveryMs = 500;

/** Measures one caller's latency on the idle service and during another account's batch. */
export async function measureCalls(stack: BatchStack, plan: CallsPlan) {
  const [caller, tenant] = await Promise.all([stack.tenant('letter'), stack.tenant('letter')]);
  const { format, rows } = plan;
  const half = Math.ceil(plan.calls / 2);
  const idleCalls = (): Promise<readonly Call[]> => callRepeatedly(stack, caller, format, (count) => count === half);
  await callRepeatedly(stack, caller, format, (count) => count === 20);
  const before = await idleCalls();
  let isOver = false;
  const running = runBatch(stack, tenant, rows, format).finally(() => {
    isOver = true;
  });
  const during = await callRepeatedly(stack, caller, format, () => isOver);
  const batch = await running;
  const idle = [...before, ...(await idleCalls())];
  return { figures: toFigures(idle, during, batch), raw: { idle, during, batch } };
}

/** Calls until `isOver`: waits for each document, pauses, and sends the next request. */
async function callRepeatedly(
  stack: BatchStack,
  tenant: Tenant,
  format: Format,
  isOver: (calls: number) => boolean,
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const body = JSON.stringify({ data: documentOf('letter', 3).data, output: { format } });
  const headers = { Authorization: `Bearer ${tenant.apiKey}`, 'Content-Type': 'application/json' };
  const url = `${stack.url}/v1/templates/${tenant.templateId}/generate`;
  while (!isOver(calls.length)) {
    const atMs = performance.now();
    const answer = await fetch(url, { method: 'POST', body, headers });
    const bytes = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`status ${answer.status}: ${Buffer.from(bytes).toString()}`);
    calls.push({ atMs, tookMs: Math.round((performance.now() - atMs) * 10) / 10 });
    await delay(callPauseMs);
  }
  return calls;
}

/** Sends letters as NDJSON with a zip bundle and waits until the batch is complete. */
async function runBatch(stack: BatchStack, tenant: Tenant, rows: number, format: Format): Promise<BatchTimes> {
  const body = letters(rows)
    .map((row) => JSON.stringify(row))
    .join('\n');
  const authorization = { Authorization: `Bearer ${tenant.apiKey}` };
  const sentAtMs = performance.now();
  const answer = await fetch(`${stack.url}/v1/templates/${tenant.templateId}/batches?format=${format}&bundle=zip`, {
    method: 'POST',
    body,
    headers: { ...authorization, 'Content-Type': 'application/x-ndjson' },
  });
  if (answer.status !== 202)
    throw new Error(`the service responded to the batch with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  const acceptedAtMs = performance.now();
  const url = `${stack.url}${answer.headers.get('Location')}`;
  let rowsDoneAtMs: number | undefined;
  for (;;) {
    const batch = (await (await fetch(url, { headers: authorization })).json()) as {
      readonly status: string;
      readonly counts: { readonly succeeded: number };
    };
    if (batch.counts.succeeded === rows) rowsDoneAtMs ??= performance.now();
    if (batch.status === 'completed' && rowsDoneAtMs !== undefined)
      return { rows, sentAtMs, acceptedAtMs, rowsDoneAtMs, completedAtMs: performance.now() };
    if (batch.status === 'failed') throw new Error(`the batch failed: ${JSON.stringify(batch.counts)}`);
    await delay(pollEveryMs);
  }
}

function toFigures(idle: readonly Call[], during: readonly Call[], batch: BatchTimes): readonly Figure[] {
  const phases = {
    'while the batch was accepted': [batch.sentAtMs, batch.acceptedAtMs],
    'while its rows were produced': [batch.acceptedAtMs, batch.rowsDoneAtMs],
    'while it was bundled': [batch.rowsDoneAtMs, batch.completedAtMs],
  } as const;
  const share = (calls: readonly Call[], part: number): number =>
    quantile(
      calls.map(({ tookMs }) => tookMs),
      part,
    );
  const p95 = (calls: readonly Call[]): number => share(calls, 0.95);
  return [
    figure('p95 of calls beside a batch / idle', 'times', [p95(during) / p95(idle)], atMost(2)),
    figure('p95 of calls, idle', 'ms', [p95(idle)]),
    figure('p95 of calls beside a batch', 'ms', [p95(during)]),
    figure('median of calls, idle', 'ms', [share(idle, 0.5)]),
    figure('median of calls beside a batch', 'ms', [share(during, 0.5)]),
    ...Object.entries(phases).map(([name, [from, to]]) =>
      figure(`p95 of calls ${name}`, 'ms', [p95(during.filter(({ atMs }) => atMs >= from && atMs < to))]),
    ),
    figure('seconds to accept the batch', '', [(batch.acceptedAtMs - batch.sentAtMs) / 1_000]),
    figure('rows per second beside calls', '', [batch.rows / ((batch.rowsDoneAtMs - batch.acceptedAtMs) / 1_000)]),
    figure('seconds to bundle it', '', [(batch.completedAtMs - batch.rowsDoneAtMs) / 1_000]),
  ];
}
