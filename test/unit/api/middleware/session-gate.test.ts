import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { createSessionGate } from '../../../../src/api/middleware/session-gate.ts';

const token = 't'.repeat(43);

/** A service that gives everybody the same cookie. Nothing here asks for the session of a cookie. */
function serviceAt(origin: string) {
  const app = new Hono<ApiEnv>();
  const gate = createSessionGate({
    sessions: {} as never,
    people: {} as never,
    accounts: new Map(),
    origin,
    absoluteSeconds: 600,
  });
  app.get('/give', (c) => {
    gate.give(c, token);
    return c.body(null);
  });
  app.get('/take', (c) => {
    gate.take(c);
    return c.body(null);
  });
  app.get('/read', (c) => c.text(gate.tokenOf(c) ?? 'none'));
  const call = (path: string, Cookie = '') => Promise.resolve(app.request(path, { headers: { Cookie } }));
  return { cookieOf: async (path: string) => (await call(path)).headers.get('Set-Cookie'), call };
}

test('over HTTPS, the cookie belongs to this host alone', async () => {
  const { cookieOf, call } = serviceAt('https://docs.example.com');
  const rest = 'Path=/; HttpOnly; Secure; SameSite=Strict';
  expect(await cookieOf('/give')).toBe(`__Host-docmill-session=${token}; Max-Age=600; ${rest}`);
  expect(await cookieOf('/take')).toBe(`__Host-docmill-session=; Max-Age=0; ${rest}`);
  expect(await (await call('/read', `__Host-docmill-session=${token}`)).text()).toBe(token);
  // A page of a subdomain could plant this one.
  expect(await (await call('/read', `docmill-session=${token}`)).text()).toBe('none');
});

test('on this machine over HTTP, browsers could not keep such a cookie', async () => {
  const { cookieOf } = serviceAt('http://localhost:3000');
  expect(await cookieOf('/give')).toBe(`docmill-session=${token}; Max-Age=600; Path=/; HttpOnly; SameSite=Strict`);
});

test.each(['', 'x', `${token}x`, `${token.slice(1)}!`, '%00'])(
  'a cookie of another form, %o, is no session',
  async (value) => {
    const { call } = serviceAt('https://docs.example.com');
    expect(await (await call('/read', `__Host-docmill-session=${value}`)).text()).toBe('none');
  },
);
