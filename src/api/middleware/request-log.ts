import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from '../../shared/logger.ts';
import { traceFields } from '../../shared/request-trace.ts';
import { ownStages, type Stages } from '../../shared/stages.ts';
import { recordStages } from '../../shared/tracing/record-stages.ts';
import type { Tracing } from '../../shared/tracing/tracing.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { pathFacts } from '../http/request-facts.ts';
import { parseRequestTrace, traceOf } from '../http/request-trace.ts';

export interface FinishedRequest {
  readonly method: string;
  /** The pattern of the operation, not the requested path. */
  readonly route: string;
  readonly status: number;
  /** The `Error-Code` header of the response. */
  readonly code: string | undefined;
}

interface RequestLogOptions {
  readonly logger: Logger;
  readonly metrics: { observe(request: FinishedRequest, durationMs: number): void };
  readonly stages: Stages;
  readonly tracing?: Tracing | undefined;
}

/**
 * Gives each request its id (`X-Request-Id`: the client's, or a new one), counts it, and logs one line without its body,
 * query or key.
 */
export function requestLog({ logger, metrics, stages, tracing }: RequestLogOptions): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    const incoming = c.env?.incoming;
    const path = c.req.path;
    const isProbe = path === '/healthz' || path === '/readyz';
    const received = incoming === undefined ? parseRequestTrace((name) => c.req.header(name)) : traceOf(incoming);
    const span = isProbe ? undefined : tracing?.startSpan(c.req.method, { kind: 'server', parent: received });
    const trace = span === undefined ? received : { requestId: received.requestId, ...span.reference };
    const own = ownStages(stages);
    c.set('trace', trace);
    c.set('facts', {});
    c.set('stages', own);
    c.set('logger', logger.child(traceFields(trace)));
    c.header('X-Request-Id', trace.requestId);
    if (trace.traceparent !== undefined) c.header('traceparent', trace.traceparent);
    c.header('X-Content-Type-Options', 'nosniff');
    if (span === undefined) await next();
    else await tracing?.run(span, next);
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    const [method, route, status] = [c.req.method, routePath(c, -1), c.res.status];
    const errorCode = c.res.headers.get('Error-Code') ?? undefined;
    metrics.observe({ method, route, status, code: errorCode }, durationMs);
    c.get('logger')[isProbe ? 'debug' : 'info'](
      {
        method,
        route,
        status,
        outcome: outcomeOf(status),
        errorCode,
        durationMs,
        stages: own.times(),
        accountId: c.get('accountId'),
        keyId: c.get('keyId'),
        ...pathFacts(route, path),
        ...c.get('facts'),
        bytes: contentLength(c),
      },
      'request',
    );
    if (span === undefined || tracing === undefined) return;
    recordStages(tracing, span.reference, own);
    span.end({
      name: `${method} ${route}`,
      hasFailed: status >= 500,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'error.type': errorCode,
        'docmill.request_id': trace.requestId,
        'docmill.account_id': c.get('accountId'),
        'docmill.document_id': c.get('facts').documentId,
        'docmill.batch_id': c.get('facts').batchId,
      },
    });
  };
}

function outcomeOf(status: number): 'succeeded' | 'rejected' | 'failed' {
  if (status < 400) return 'succeeded';
  return status < 500 ? 'rejected' : 'failed';
}

/** Undefined for a stream, whose length is unknown at its start. */
function contentLength(c: Context<ApiEnv>): number | undefined {
  const length = c.res.headers.get('Content-Length');
  return length === null ? undefined : Number(length);
}
