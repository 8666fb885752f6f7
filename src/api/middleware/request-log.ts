import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { newId } from '../../shared/ids.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ApiEnv } from '../env.ts';

/** Gives each request an id, sent back as `X-Request-Id`, and writes one line about it: never its body, query or key. */
export function requestLog(logger: Logger): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    c.set('requestId', requestId);
    c.set('logger', logger.child({ requestId }));
    c.header('X-Request-Id', requestId);
    c.header('X-Content-Type-Options', 'nosniff');
    await next();
    const path = c.req.path;
    const level = path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
    logger[level](
      {
        requestId,
        method: c.req.method,
        route: routePath(c, -1),
        status: c.res.status,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        accountId: c.get('accountId'),
        keyId: c.get('keyId'),
      },
      'request',
    );
  };
}
