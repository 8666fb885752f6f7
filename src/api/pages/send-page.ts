import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';

/** Sends a page that depends on the request or the configuration, so that it is not streamed from disk. */
export function sendPage(c: Context<ApiEnv>, page: string): Response {
  const tag = `"${createHash('sha256').update(page).digest('base64url')}"`;
  c.header('Cache-Control', 'no-cache');
  c.header('ETag', tag);
  return c.req.header('If-None-Match') === tag ? c.body(null, 304) : (c.html(page) as Response);
}
