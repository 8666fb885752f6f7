import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';
import { invalidField } from './parse-request.ts';

/** Parses the opaque cursor of a list: the last id of the previous page. */
export function parseCursor(
  cursor: string | undefined,
  prefix: 'tpl' | 'doc' | 'dlv' | 'whd' | 'ast' | 'bat' | 'key' | 'acc' | 'aud' | 'ers' | 'opk',
): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!id.startsWith(`${prefix}_`) || !/^[a-z]{3}_[0-9a-z]{26}$/.test(id)) {
    throw invalidField('cursor', 'is not a cursor of this list');
  }
  return id;
}

/** Sets `Link` (RFC 8288) to the next page, which is the same request with a cursor. */
export function setNextLink(c: Context<ApiEnv>, publicUrl: string | undefined, next: string | undefined): void {
  if (next === undefined) return;
  const here = new URL(c.req.url);
  const target = new URL(here.pathname, publicUrl ?? here);
  for (const [name, value] of here.searchParams) target.searchParams.set(name, value);
  target.searchParams.set('cursor', Buffer.from(next).toString('base64url'));
  c.header('Link', `<${target.href}>; rel="next"`);
}

/** Parses the cursor of a list of days, keys and scopes. */
export function parseUseCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const place = Buffer.from(cursor, 'base64url').toString('latin1');
  const day = /^(2\d{3}-\d\d-\d\d) key_[0-9a-z]{1,60} [a-z:]{1,40}$/.exec(place)?.[1];
  if (day === undefined || !new Date(day).toISOString().startsWith(day))
    throw invalidField('cursor', 'is not a cursor of this list');
  return place;
}
