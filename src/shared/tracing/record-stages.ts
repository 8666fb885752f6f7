import type { OwnStages } from '../stages.ts';
import type { SpanReference, Tracing } from './tracing.ts';

/** Records a span for each completed stage of a request or job. */
export function recordStages(tracing: Tracing, parent: SpanReference, stages: OwnStages): void {
  for (const { stage, startMs, endMs } of stages.ended()) {
    tracing.startSpan(stage, { kind: 'internal', parent, startMs }).end({ endMs });
  }
}
