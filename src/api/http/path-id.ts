import type { Context } from 'hono';
import type { ApiEnv } from '../env.ts';

const id = /^[a-z]{3}_[0-9a-z]{26}$/;

/** The id in the path. What cannot be one becomes the empty text, which is nobody's id. */
export function pathId(c: Context<ApiEnv>, name = 'id'): string {
  const given = c.req.param(name) ?? '';
  return id.test(given) ? given : '';
}
