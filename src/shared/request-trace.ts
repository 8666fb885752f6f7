import { z } from 'zod';

/** Links a document to its request. Stored with the document, and carried by jobs that have no row. */
export const requestTrace = z.strictObject({
  /** The `X-Request-Id` header. */
  requestId: z.string().min(1).max(128),
  /** The span to which the work belongs (W3C Trace Context), if the client sent one or spans are recorded. */
  traceparent: z.string().length(55).optional(),
  tracestate: z.string().max(512).optional(),
  /** The batch whose trace this is. Spans of its documents link to it, because one trace cannot hold thousands. */
  batchId: z.string().optional(),
});

export type RequestTrace = Readonly<z.infer<typeof requestTrace>>;

/** The fields for log lines: the request id, and the ids of the trace and the parent span if there are any. */
export function traceFields(trace: RequestTrace | undefined): Readonly<Record<string, string>> {
  if (trace === undefined) return {};
  const { requestId, traceparent } = trace;
  if (traceparent === undefined) return { requestId };
  return { requestId, traceId: traceparent.slice(3, 35), spanId: traceparent.slice(36, 52) };
}

/** The headers that propagate the trace. */
export function traceHeaders(trace: RequestTrace | undefined): Readonly<Record<string, string>> {
  if (trace === undefined) return {};
  const { requestId, traceparent, tracestate } = trace;
  return {
    'X-Request-Id': requestId,
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
  };
}
