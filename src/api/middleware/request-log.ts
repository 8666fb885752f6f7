import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { newId } from '../../shared/ids.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { ApiDeps } from '../http/operation.ts';

/** Gives each request an id (`X-Request-Id`), counts it, and logs one line without its body, query or key. */
export function requestLog(logger: Logger, metrics: ApiDeps['metrics']): MiddlewareHandler<ApiEnv> {
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
    metrics.observe({ method, route, status, code: c.res.headers.get('Error-Code') ?? undefined }, durationMs);
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
