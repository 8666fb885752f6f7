import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Access =
  | { readonly isAllowed: true; readonly cookie?: string }
  | { readonly isAllowed: false; readonly reason: string };

/**
 * Decides about requests of a server that only the person at this machine may use. The address that the program prints has a random
 * token; it is answered with a cookie, which every other request needs. Other sites can neither read (another host name,
 * another origin) nor send (the cookie is not sent with their requests).
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
      // A name that leads to this machine (DNS rebinding) is none of these.
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
      // Browsers send no cookie with requests of other sites; a site at another port of this machine is no other site for them.
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
