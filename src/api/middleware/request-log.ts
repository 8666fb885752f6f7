import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { newId } from '../../shared/ids.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ApiEnv } from '../env.ts';
import type { ApiMetrics } from '../metrics.ts';

/**
 * Gives each request an id, sent back as `X-Request-Id`, counts it, and writes one line about it: never its body, query or key.
 */
export function requestLog(logger: Logger, metrics: ApiMetrics): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    c.set('requestId', requestId);
    c.set('logger', logger.child({ requestId }));
    c.header('X-Request-Id', requestId);
    c.header('X-Content-Type-Options', 'nosniff');
    await next();
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    const [method, route, status] = [c.req.method, routePath(c, -1), c.res.status];
    metrics.answered({ method, route, status, code: c.res.headers.get('Error-Code') ?? undefined }, durationMs);
    const path = c.req.path;
    const level = path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
    logger[level](
      {
        requestId,
        ...{ method, route, status, durationMs },
        accountId: c.get('accountId'),
        keyId: c.get('keyId'),
      },
      'request',
    );
  };
}
