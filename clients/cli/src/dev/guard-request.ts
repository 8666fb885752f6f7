import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Access =
  | { readonly isAllowed: true; readonly cookie?: string }
  | { readonly isAllowed: false; readonly reason: string };

/**
 * Guards a server that only the user of this machine may access. The printed address contains a random token, which is
 * exchanged for a cookie that every other request needs. Other sites can neither read responses (their host name or
 * origin differs) nor send requests (the cookie is not included).
 */
export function createGuard(): {
  readonly token: string;
  readonly check: (request: IncomingMessage, port: number) => Access;
} {
  const token = randomBytes(24).toString('base64url');
  return {
    token,
    check(request, port) {
      const { host, origin, cookie = '' } = request.headers;
      // Rejects a foreign name that resolves to this machine (DNS rebinding).
      const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
      if (host === undefined || !hosts.includes(host)) return refuse('The address is not that of this server.');
      if (origin !== undefined && origin !== `http://${host}`) return refuse('Another site sent the request.');
      const url = new URL(request.url ?? '/', `http://${host}`);
      const name = `docmill-dev-${port}`;
      const given = url.searchParams.get('token');
      if (request.method === 'GET' && url.pathname === '/' && given !== null) {
        if (!isEqual(given, token)) return refuse('The token is not that of this server.');
        return { isAllowed: true, cookie: `${name}=${token}; Path=/; HttpOnly; SameSite=Strict` };
      }
      // Browsers send no cookie with cross-site requests, but they consider other ports of this machine the same site.
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none')
        return refuse('Another site sent the request.');
      if (request.method !== 'GET' && origin === undefined) return refuse('The request has no origin.');
      const sent = cookie.split(/; */).find((pair) => pair.startsWith(`${name}=`));
      if (sent === undefined || !isEqual(sent.slice(name.length + 1), token)) {
        return refuse('Open the address that docmill dev printed.');
      }
      return { isAllowed: true };
    },
  };
}

const refuse = (reason: string): Access => ({ isAllowed: false, reason });

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
