import type { TestBatch } from '../../test/support/domain/batches.ts';
import { type ProcessorTime, perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { atLeast, figure } from '../harness/report.ts';
import { alternate, type Side, samplesOf } from '../harness/rounds.ts';
import { byRound } from '../harness/statistics.ts';
import { type Format, orderBatch, orderSingles, type Span, untilEnded } from './orders.ts';
import type { Stack } from './stack.ts';

export interface ThroughputPlan {
  readonly format: Format;
  readonly laneRows: number;
  readonly rounds: number;
}

/** Rows a second of a batch alone, against the same rows as single documents that all wait in their lane. */
export async function measureThroughput(stack: Stack, { format, laneRows, rounds }: ThroughputPlan) {
  const tenant = await stack.tenant('letter');
  const sides: readonly Side<Run>[] = [
    { name: 'lane', run: () => timed(stack, () => orderSingles(stack, tenant, laneRows, format)) },
    { name: 'batch', run: () => timed(stack, () => orderBatch(stack, tenant, laneRows, format)) },
  ];
  await untilEnded(stack, await orderBatch(stack, tenant, 50, format));
  await untilEnded(stack, await orderSingles(stack, tenant, 50, format));
  const samples = await alternate(sides, rounds);
  const [lane, batch] = [samplesOf(samples, 'lane'), samplesOf(samples, 'batch')];
  const ratios = byRound(batch, lane, (ours, theirs) => ours.perSecond / theirs.perSecond);
  const pace = (spans: readonly Span[]): number[] => spans.map(({ perSecond }) => perSecond);
  return {
    figures: [
      figure("rows a second of a batch / the lane's maximum", 'times', ratios, atLeast(0.9)),
      figure('rows a second of the lane', '', pace(lane)),
      figure('rows a second of a batch', '', pace(batch)),
    ],
    raw: { lane, batch },
  };
}

/** Milliseconds of processor time a row, by part: what the order itself takes is in it on both sides. */
interface Run extends Span {
  readonly processorMs: ProcessorTime;
}

async function timed(stack: Stack, order: () => Promise<TestBatch>): Promise<Run> {
  const before = readProcessorTime(stack.pids);
  const span = await untilEnded(stack, await order());
  return { ...span, processorMs: perDocument(before, readProcessorTime(stack.pids), span.rows) };
}
