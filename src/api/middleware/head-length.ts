import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';

/**
 * Gives the response to a HEAD the `Content-Length` that the response to a GET has (RFC 9110, 8.6). Handlers of files
 * and streams set the header themselves and send no body for a HEAD.
 */
export function headLength(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    if (c.req.method !== 'HEAD' || c.res.body === null || c.res.headers.has('Content-Length')) return;
    const body = await c.res.arrayBuffer();
    const { status, headers } = c.res;
    c.res = new Response(null, { status, headers });
    c.res.headers.set('Content-Length', String(body.byteLength));
  };
}
