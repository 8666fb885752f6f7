import type { QueueName } from '../shared/config/worker-variables.ts';
import { messageAttributes } from '../shared/queue/queue-telemetry.ts';
import type { RequestTrace } from '../shared/request-trace.ts';
import { type OwnStages, unixMs } from '../shared/stages.ts';
import { recordStages } from '../shared/tracing/record-stages.ts';
import type { ActiveSpan, Span, SpanReference, Tracing } from '../shared/tracing/tracing.ts';
import type { JobFacts } from './job-facts.ts';

/**
 * The span of a job. It begins once the job knows which request it belongs to. A job that finds nothing to do has none.
 */
export interface JobSpan {
  readonly active: ActiveSpan;
  /** Starts the span. Returns the trace with this span as the parent of subsequent spans. */
  begin(trace: RequestTrace | undefined): RequestTrace | undefined;
  end(stages: OwnStages, facts: JobFacts): void;
}

/** Creates the span of the current run, linked to the span that added the job. */
export function createJobSpan(tracing: Tracing, queue: QueueName, jobId: string | undefined): JobSpan {
  const startMs = unixMs();
  const producer = tracing.active()?.reference;
  const active: ActiveSpan = {};
  let span: Span | undefined;
  let request: SpanReference = {};
  return {
    active,
    begin(trace) {
      if (trace === undefined || span !== undefined) return trace;
      const { parent, links } = relate(trace);
      request = parent;
      span = tracing.startSpan(`process ${queue}`, {
        kind: 'consumer',
        parent,
        startMs,
        links: producer === undefined ? links : [...links, producer],
      });
      active.reference = span.reference;
      return { requestId: trace.requestId, ...span.reference };
    },
    end(stages, facts) {
      if (span === undefined) return;
      const { queueMs, attempt, outcome, errorCode } = facts;
      if (queueMs !== undefined && attempt === 1) {
        const parent = request.traceparent === undefined ? span.reference : request;
        const waited = tracing.startSpan(`wait ${queue}`, { kind: 'internal', parent, startMs: startMs - queueMs });
        waited.end({ endMs: startMs });
      }
      recordStages(tracing, span.reference, stages);
      span.end({
        hasFailed: outcome === 'failed' || outcome === 'retried',
        attributes: {
          ...messageAttributes(queue, 'process', jobId),
          'error.type': errorCode,
          'docmill.outcome': outcome,
          'docmill.attempt': attempt,
          'docmill.request_id': facts.requestId,
          'docmill.document_id': facts.documentId,
          'docmill.batch_id': facts.batchId,
          'docmill.delivery_id': facts.deliveryId,
          'docmill.account_id': facts.accountId,
          'docmill.pages': facts.pages,
          'docmill.bytes': facts.bytes,
        },
      });
    },
  };
}

/** Work for a request is a child of its span. Work for a batch row has its own trace, linked to the batch's. */
export function relate(trace: RequestTrace): {
  readonly parent: SpanReference;
  readonly links: readonly SpanReference[];
} {
  return trace.batchId === undefined ? { parent: trace, links: [] } : { parent: {}, links: [trace] };
}
