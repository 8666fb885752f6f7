import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { PersonHolder } from '../../shared/domain/api-keys/people.ts';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { Credential } from './credential.ts';
import { type KeyCache, personEntry } from './key-cache.ts';
import type { Session, Sessions } from './sessions.ts';

/** A request that carries a session needs this header, which no form and no link of another page can send. */
const sessionHeader = 'Docmill-Session';

/** The key of the user who opened the page. Another tab may have signed in somebody else since. */
const personHeader = 'Docmill-Person';

const tokenForm = /^[\w-]{43}$/;
/** A session may end at any time; Redis is asked again after this time while a response is sent. */
const recheckMs = 5_000;

export interface OpenSession extends Credential {
  readonly session: Session;
  readonly token: string;
}

/** Reads and writes the cookie of a session. */
export interface SessionGate {
  /**
   * The session of a request, whose idle time begins again; undefined for a request without the cookie. Throws
   * `unauthorized` if the session has ended or is that of another person than the page's, or if the request was not sent
   * by the console.
   */
  open(c: Context<ApiEnv>): Promise<OpenSession | undefined>;
  /** The token in the cookie, whether or not its session exists. */
  tokenOf(c: Context<ApiEnv>): string | undefined;
  give(c: Context<ApiEnv>, token: string): void;
  take(c: Context<ApiEnv>): void;
}

export interface SessionGateOptions {
  readonly sessions: Sessions;
  readonly people: KeyCache<PersonHolder>;
  /** The accounts of the configured providers, by the id of the provider. */
  readonly accounts: ReadonlyMap<string, string>;
  /** The origin of the console, such as `https://docs.example.com`. */
  readonly origin: string;
  readonly absoluteSeconds: number;
}

/** Browsers accept a cookie named `__Host-` only over HTTPS, from this host and for all of its paths. */
export const prefixOf = (
  origin: string,
): { readonly prefix: 'host'; readonly secure: true } | { readonly secure: false } =>
  origin.startsWith('https:') ? { prefix: 'host', secure: true } : { secure: false };

/** Reads a cookie that was set with `prefixOf`. */
export function readCookie(c: Context<ApiEnv>, origin: string, name: string): string | undefined {
  const value = origin.startsWith('https:') ? getCookie(c, name, 'host') : getCookie(c, name);
  return value !== undefined && tokenForm.test(value) ? value : undefined;
}

const cookieName = 'docmill-session';

export function createSessionGate({
  sessions,
  people,
  accounts,
  origin,
  absoluteSeconds,
}: SessionGateOptions): SessionGate {
  const cookie = { ...prefixOf(origin), path: '/', httpOnly: true, sameSite: 'Strict' } as const;
  const holderOf = async (session: Session | undefined): Promise<PersonHolder | undefined> => {
    // The operator may have removed the provider since, or given it another account.
    if (session === undefined || accounts.get(session.provider) !== session.accountId) return undefined;
    const holder = await people.find(personEntry(session));
    return holder !== undefined && session.startedAtMs > holder.accessEndedMs ? holder : undefined;
  };
  return {
    async open(c) {
      const token = readCookie(c, origin, cookieName);
      if (token === undefined) return undefined;
      requireConsole(c, origin);
      const session = await sessions.use(token);
      if (session === undefined || (c.req.header(personHeader) ?? session.keyId) !== session.keyId) throw ended();
      return {
        session,
        token,
        find: async () => holderOf(await sessions.peek(token)),
        recheckMs: () => recheckMs,
      };
    },
    tokenOf: (c) => readCookie(c, origin, cookieName),
    give: (c, token) => setCookie(c, cookieName, token, { ...cookie, maxAge: absoluteSeconds }),
    take: (c) => void deleteCookie(c, cookieName, cookie),
  };
}

export const ended = (): AppError => new AppError('unauthorized', 'The session has ended. Sign in again.');

/** Refuses requests that another site made the browser send, for which it would add the cookie. */
function requireConsole(c: Context<ApiEnv>, origin: string): void {
  const site = c.req.header('Sec-Fetch-Site');
  const from = c.req.header('Origin');
  const isOwn =
    c.req.header(sessionHeader) === 'console' &&
    (site === undefined || site === 'same-origin') &&
    (from === undefined || from === origin);
  if (isOwn) return;
  throw new AppError(
    'unauthorized',
    `A session is accepted only from the console at ${origin}, with the header ${sessionHeader}. Programs use an API key.`,
  );
}
