import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { parseCursor, setNextLink } from '../../../../src/api/http/cursor.ts';

const id = `tpl_${'0'.repeat(26)}`;
const cursor = Buffer.from(id).toString('base64url');

async function linkOf(path: string, next: string | undefined, publicUrl?: string): Promise<string | null> {
  const app = new Hono<ApiEnv>();
  app.get('/v1/templates', (c) => {
    setNextLink(c, publicUrl, next);
    return c.text('');
  });
  return (await app.request(`http://localhost:3000${path}`)).headers.get('Link');
}

test('the link to the next page keeps the filter, and replaces the cursor', async () => {
  const expected = `<http://localhost:3000/v1/templates?name=beta&limit=1&cursor=${cursor}>; rel="next"`;
  expect(await linkOf('/v1/templates?name=beta&limit=1', id)).toBe(expected);
  const next = `<http://localhost:3000/v1/templates?cursor=${cursor}&limit=1>; rel="next"`;
  expect(await linkOf('/v1/templates?cursor=x&limit=1', id)).toBe(next);
});

test("the link uses the service's public address, and the last page has no link", async () => {
  const expected = `<https://docs.example/v1/templates?cursor=${cursor}>; rel="next"`;
  expect(await linkOf('/v1/templates', id, 'https://docs.example')).toBe(expected);
  expect(await linkOf('/v1/templates', undefined)).toBeNull();
});

test('a cursor is the id of an entry in its list', () => {
  expect([parseCursor(cursor, 'tpl'), parseCursor(undefined, 'tpl')]).toEqual([id, undefined]);
  for (const other of [id.slice(0, -1), `${id}0`, `x${id}`, id.toUpperCase(), id.replace('tpl', 'doc'), ''])
    expect(() => parseCursor(Buffer.from(other).toString('base64url'), 'tpl')).toThrow(
      'cursor: is not a cursor of this list',
    );
});
