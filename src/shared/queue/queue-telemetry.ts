import { type Span as QueueSpan, SpanKind, type Telemetry } from 'bullmq';
import type { ActiveSpan, Tracing } from '../tracing/tracing.ts';

/**
 * BullMQ's telemetry interface. Records a span for each job added on behalf of a request or another job; the job
 * carries its reference. While the job runs, that span is the active one; the code that processes the job records the
 * span of the run. BullMQ's own operations get no spans, because an idle worker would record hundreds a minute.
 */
export function createQueueTelemetry(tracing: Tracing, queue: string): Telemetry<ActiveSpan> {
  const root: ActiveSpan = {};
  return {
    contextManager: {
      with: (context, work) => tracing.run(context as ActiveSpan, () => work()),
      active: () => tracing.active() ?? root,
      root: () => root,
      getMetadata: (context: ActiveSpan) => context.reference?.traceparent ?? '',
      fromMetadata: (_active: ActiveSpan, traceparent: string) => ({ reference: { traceparent } }),
    },
    tracer: {
      startSpan(_name, options) {
        const parent = tracing.active()?.reference;
        if (options?.kind !== SpanKind.PRODUCER || parent === undefined) return noSpan;
        const span = tracing.startSpan(`send ${queue}`, { kind: 'producer', parent });
        let hasFailed = false;
        return {
          ...noSpan,
          setSpanOnContext: () => ({ reference: span.reference }),
          recordException: () => {
            hasFailed = true;
          },
          end: () => span.end({ hasFailed, attributes: messageAttributes(queue, 'send') }),
        };
      },
    },
  };
}

/** OpenTelemetry's semantic conventions for messaging. */
export function messageAttributes(queue: string, operation: 'send' | 'process', messageId?: string) {
  return {
    'messaging.system': 'bullmq',
    'messaging.destination.name': queue,
    'messaging.operation.type': operation,
    'messaging.operation.name': operation,
    'messaging.message.id': messageId,
  };
}

const ignore = (): void => undefined;
const noSpan: QueueSpan<ActiveSpan> = {
  setSpanOnContext: (context) => context,
  setAttribute: ignore,
  setAttributes: ignore,
  addEvent: ignore,
  recordException: ignore,
  end: ignore,
};
