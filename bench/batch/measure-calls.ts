import { atMost, type Figure, figure } from '../harness/report.ts';
import { quantile } from '../harness/statistics.ts';
import { type BatchMoments, orderOverHttp } from './http-order.ts';
import { type Call, callInteractively } from './interactive.ts';
import type { Format } from './orders.ts';
import type { Stack } from './stack.ts';

export interface CallsPlan {
  readonly format: Format;
  readonly rows: number;
  /** Calls while nothing else goes on, half of them before the batch and half after it. */
  readonly calls: number;
}

/** What one caller's documents take while nothing else goes on, and while the batch of another account does. */
export async function measureCalls(stack: Stack, plan: CallsPlan) {
  const [caller, tenant] = await Promise.all([stack.tenant('letter'), stack.tenant('letter')]);
  const { format, rows } = plan;
  const half = Math.ceil(plan.calls / 2);
  const idleCalls = (): Promise<readonly Call[]> => callInteractively(stack, caller, format, (count) => count === half);
  await callInteractively(stack, caller, format, (count) => count === 20);
  const before = await idleCalls();
  let isOver = false;
  const ending = orderOverHttp(stack, tenant, rows, format).finally(() => {
    isOver = true;
  });
  const during = await callInteractively(stack, caller, format, () => isOver);
  const batch = await ending;
  const idle = [...before, ...(await idleCalls())];
  return { figures: toFigures(idle, during, batch), raw: { idle, during, batch } };
}

function toFigures(idle: readonly Call[], during: readonly Call[], batch: BatchMoments): readonly Figure[] {
  const phases = {
    'while it was taken in': [batch.sentAtMs, batch.acceptedAtMs],
    'while its rows were made': [batch.acceptedAtMs, batch.madeAtMs],
    'while it was bundled': [batch.madeAtMs, batch.completedAtMs],
  } as const;
  const p95 = (calls: readonly Call[]): number =>
    quantile(
      calls.map(({ tookMs }) => tookMs),
      0.95,
    );
  const median = (calls: readonly Call[]): number =>
    quantile(
      calls.map(({ tookMs }) => tookMs),
      0.5,
    );
  const made = batch.rows / ((batch.madeAtMs - batch.acceptedAtMs) / 1_000);
  return [
    figure('p95 of calls beside a batch / idle', 'times', [p95(during) / p95(idle)], atMost(2)),
    figure('p95 of calls, idle', 'ms', [p95(idle)]),
    figure('p95 of calls beside a batch', 'ms', [p95(during)]),
    figure('median of calls, idle', 'ms', [median(idle)]),
    figure('median of calls beside a batch', 'ms', [median(during)]),
    ...Object.entries(phases).map(([name, [from, to]]) =>
      figure(`p95 of calls ${name}`, 'ms', [p95(during.filter(({ atMs }) => atMs >= from && atMs < to))]),
    ),
    figure('seconds to take the batch in', '', [(batch.acceptedAtMs - batch.sentAtMs) / 1_000]),
    figure('rows a second beside calls', '', [made]),
    figure('seconds to bundle it', '', [(batch.completedAtMs - batch.madeAtMs) / 1_000]),
  ];
}
