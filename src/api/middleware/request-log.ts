import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { traceFields } from '../../shared/request-trace.ts';
import { ownStages } from '../../shared/stages.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { ApiDeps } from '../http/operation.ts';
import { pathFacts } from '../http/request-facts.ts';
import { parseRequestTrace, traceOf } from '../http/request-trace.ts';

/**
 * Gives each request its id (`X-Request-Id`: the client's, or a new one), counts it, and logs one line without its body,
 * query or key.
 */
export function requestLog({ logger, metrics, stages }: ApiDeps): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    const incoming = c.env?.incoming;
    const trace = incoming === undefined ? parseRequestTrace((name) => c.req.header(name)) : traceOf(incoming);
    const own = ownStages(stages);
    c.set('trace', trace);
    c.set('facts', {});
    c.set('stages', own);
    c.set('logger', logger.child(traceFields(trace)));
    c.header('X-Request-Id', trace.requestId);
    if (trace.traceparent !== undefined) c.header('traceparent', trace.traceparent);
    c.header('X-Content-Type-Options', 'nosniff');
    await next();
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    const [method, route, status] = [c.req.method, routePath(c, -1), c.res.status];
    const errorCode = c.res.headers.get('Error-Code') ?? undefined;
    metrics.observe({ method, route, status, code: errorCode }, durationMs);
    const path = c.req.path;
    const level = path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
    c.get('logger')[level](
      {
        ...{ method, route, status, outcome: outcomeOf(status), errorCode, durationMs, stages: own.times() },
        ...{ accountId: c.get('accountId'), keyId: c.get('keyId') },
        ...pathFacts(route, path),
        ...c.get('facts'),
        bytes: contentLength(c),
      },
      'request',
    );
  };
}

function outcomeOf(status: number): 'succeeded' | 'rejected' | 'failed' {
  if (status < 400) return 'succeeded';
  return status < 500 ? 'rejected' : 'failed';
}

/** Undefined for a stream, whose length is not known when it begins. */
function contentLength(c: Context<ApiEnv>): number | undefined {
  const length = c.res.headers.get('Content-Length');
  return length === null ? undefined : Number(length);
}
