import type { TestBatch } from '../../test/support/domain/batches.ts';
import { type ProcessorTime, perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { atLeast, figure } from '../harness/report.ts';
import { alternate, type Contender, samplesOf } from '../harness/rounds.ts';
import { byRound } from '../harness/statistics.ts';
import { type Format, type Span, submitBatch, submitSingles, untilFinished } from './requests.ts';
import type { BatchStack } from './stack.ts';

export interface ThroughputPlan {
  readonly format: Format;
  readonly queueRows: number;
  readonly rounds: number;
}

/** One run, with milliseconds of processor time per row and process, including the submission of the request. */
interface Run extends Span {
  readonly processorMs: ProcessorTime;
}

/** Rows per second of a batch, compared with the same rows as single documents that all wait in the queue. */
export async function measureThroughput(stack: BatchStack, { format, queueRows, rounds }: ThroughputPlan) {
  const tenant = await stack.tenant('letter');
  const contenders: readonly Contender<Run>[] = [
    { name: 'queue', run: () => timed(stack, () => submitSingles(stack, tenant, queueRows, format)) },
    { name: 'batch', run: () => timed(stack, () => submitBatch(stack, tenant, queueRows, format)) },
  ];
  await untilFinished(stack, await submitBatch(stack, tenant, 50, format));
  await untilFinished(stack, await submitSingles(stack, tenant, 50, format));
  const samples = await alternate(contenders, rounds);
  const [queue, batch] = [samplesOf(samples, 'queue'), samplesOf(samples, 'batch')];
  const ratios = byRound(batch, queue, (ours, theirs) => ours.perSecond / theirs.perSecond);
  const pace = (spans: readonly Span[]): number[] => spans.map(({ perSecond }) => perSecond);
  return {
    figures: [
      figure('rows per second of a batch / of single documents', 'times', ratios, atLeast(0.9)),
      figure('rows per second of single documents', '', pace(queue)),
      figure('rows per second of a batch', '', pace(batch)),
    ],
    raw: { queue, batch },
  };
}

async function timed(stack: BatchStack, submit: () => Promise<TestBatch>): Promise<Run> {
  const before = readProcessorTime(stack.pids);
  const span = await untilFinished(stack, await submit());
  return { ...span, processorMs: perDocument(before, readProcessorTime(stack.pids), span.rows) };
}
