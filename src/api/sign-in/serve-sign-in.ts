import type { Context, Hono, MiddlewareHandler } from 'hono';
import { setCookie } from 'hono/cookie';
import * as oidc from 'openid-client';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../../shared/db/client.ts';
import { findAccountKey } from '../../shared/domain/api-keys/find-account-keys.ts';
import {
  admitPerson,
  endAccess,
  findPersonKey,
  type PersonIdentity,
  recordSignOut,
  refusePerson,
} from '../../shared/domain/api-keys/people.ts';
import type { Role } from '../../shared/domain/api-keys/roles.ts';
import { AppError } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { clientAddress, networkOf } from '../http/client-address.ts';
import { readBody } from '../http/read-body.ts';
import { ended, type OpenSession, prefixOf, readCookie } from '../middleware/session-gate.ts';
import { hashOf, type Session } from '../middleware/sessions.ts';
import { attemptSeconds, isHashOf, newToken } from './attempts.ts';
import { type Identity, logoutSeconds, type Provider } from './provider.ts';
import { callbackPath, type SignIn } from './sign-in.ts';

/** Why somebody was sent back to the sign-in page; the console has a text for each. */
type Problem = 'expired' | 'other-browser' | 'denied' | 'provider' | 'no-role' | 'no-account' | 'revoked';

interface SignInDeps {
  readonly db: Database;
  readonly config: { readonly TRUSTED_PROXIES: readonly string[] };
}

const attemptCookie = 'docmill-sign-in';
const maxTokenBytes = 65_536;
/** Requests of a minute from one network that begin and finish sign-ins. */
const signInsPerMinute = 300;
const logoutsPerMinute = 300;
const maxPathLength = 1_000;
const startPage = '/console/';

/**
 * Serves what people need to sign in and out, below `/console/sign-in/`. The routes are not part of the API's contract:
 * only the console and the providers use them.
 */
export function serveSignIn(app: Hono<ApiEnv>, signIn: SignIn, deps: SignInDeps): void {
  const { providers, gate, sessions, origin } = signIn;
  const addressOf = (c: Context<ApiEnv>): string => clientAddress(c.env?.incoming, deps.config.TRUSTED_PROXIES);
  const limitSignIns = limitTo(signInsPerMinute, 'sign-ins', addressOf);
  // Apart from sign-ins: nobody can use up what a provider needs to end sessions.
  const limitLogouts = limitTo(logoutsPerMinute, 'logouts', addressOf);
  const known = (c: Context<ApiEnv>): Provider => {
    const provider = providers.get(c.req.param('provider') ?? '');
    if (provider === undefined) throw new AppError('not_found', 'There is no such provider. Open the console again.');
    return provider;
  };
  const open = async (c: Context<ApiEnv>): Promise<OpenSession> => {
    const session = await gate.open(c);
    if (session === undefined || (await session.find()) === undefined) throw ended();
    return session;
  };

  app.use('/console/sign-in/*', async (c, next) => {
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    await next();
  });

  app.get('/console/sign-in/session', async (c) => {
    const session = await gate.open(c).catch(ignoreEnded);
    const holder = await session?.find();
    if (session === undefined || holder === undefined) return c.json({ person: null });
    const { provider, endsAtMs } = session.session;
    const person = await findAccountKey(deps.db, holder.accountId, holder.keyId);
    return c.json({
      person: {
        keyId: holder.keyId,
        name: person?.name ?? null,
        email: person?.email ?? null,
        roles: person?.roles ?? [],
        provider: providers.get(provider)?.settings.name ?? provider,
        endsAt: new Date(endsAtMs).toISOString(),
      },
    });
  });

  app.post('/console/sign-in/sign-out', async (c) => {
    const { session, token } = await open(c);
    // Recorded first, as in every act that ends sessions: after a crash, the person can sign out again.
    await recordSignOut(deps.db, session, { action: 'sign-out', address: addressOf(c) });
    await sessions.end(token);
    return signedOut(c);
  });

  app.post('/console/sign-in/sign-out-everywhere', async (c) => {
    const { session } = await open(c);
    await endAccess(deps.db, session, { action: 'sign-out-everywhere', address: addressOf(c) });
    await sessions.endAllOf(session);
    return signedOut(c);
  });

  app.get('/console/sign-in/:provider/start', limitSignIns, async (c) => {
    const provider = known(c);
    // A link of another site must not sign somebody in unasked, in place of whoever uses this browser.
    if (isFromElsewhere(c)) return c.redirect(startPage, 303);
    const attempt = { state: newToken(), nonce: newToken(), codeVerifier: newToken() };
    // Kept, so that several tabs can sign in at the same time.
    const browser = readCookie(c, origin, attemptCookie) ?? newToken();
    const before = gate.tokenOf(c);
    const address = await provider.addressFor(attempt).catch((error: unknown) => {
      report(c, provider, error);
      return undefined;
    });
    if (address === undefined) return backWith(c, 'provider');
    await signIn.attempts.begin(attempt.state, {
      provider: provider.settings.id,
      nonce: attempt.nonce,
      codeVerifier: attempt.codeVerifier,
      browser: hashOf(browser),
      to: pathIn(origin, c.req.query('to')),
      ...(before !== undefined && { sessionBefore: hashOf(before) }),
    });
    // Lax, because the provider sends the browser back from another site.
    const cookie = { ...prefixOf(origin), path: '/', httpOnly: true, sameSite: 'Lax', maxAge: attemptSeconds } as const;
    setCookie(c, attemptCookie, browser, cookie);
    return c.redirect(address.href, 303);
  });

  app.get('/console/sign-in/:provider/callback', limitSignIns, async (c) => {
    const provider = known(c);
    const state = c.req.query('state') ?? '';
    const attempt = await signIn.attempts.take(state);
    const browser = readCookie(c, origin, attemptCookie);
    if (attempt === undefined || attempt.provider !== provider.settings.id) return backWith(c, 'expired');
    // Otherwise somebody could finish a sign-in of their own in the browser of another person.
    if (browser === undefined || !isHashOf(attempt.browser, browser)) return backWith(c, 'other-browser');
    const returned = new URL(callbackPath(provider.settings.id) + new URL(c.req.url).search, origin);
    const identity = await provider.finish(returned, { ...attempt, state }).catch((error: unknown) => {
      report(c, provider, error);
      return error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied'
        ? 'denied'
        : 'provider';
    });
    if (typeof identity === 'string') return backWith(c, identity);
    const arrived = await arrive(c, { provider, identity, sessionBefore: attempt.sessionBefore });
    return 'problem' in arrived ? backWith(c, arrived.problem) : c.redirect(attempt.to, 303);
  });

  app.post('/console/sign-in/:provider/back-channel-logout', limitLogouts, async (c) => {
    const provider = known(c);
    const body = await readBody(c.env.incoming, maxTokenBytes, { take: () => undefined, schedule: setImmediate });
    const token = new URLSearchParams(body.toString('utf8')).get('logout_token') ?? '';
    const logout = await provider.readLogout(token).catch((error: unknown) => report(c, provider, error));
    if (logout === undefined || (await signIn.attempts.wasUsed(provider.settings.id, logout.id)))
      throw new AppError('invalid_request', 'The logout token is not valid, or was used before.');
    const { id, account: accountId } = provider.settings;
    const act = { action: 'back-channel-logout', address: addressOf(c) } as const;
    const { providerSession } = logout;
    const record = (session: Session): Promise<void> => recordSignOut(deps.db, session, act);
    const isKnown = providerSession !== undefined && (await sessions.endOfProvider(id, providerSession, record));
    if (!isKnown && logout.subject !== undefined) {
      const keyId = await findPersonKey(deps.db, { accountId, provider: id, subject: logout.subject });
      if (keyId !== undefined) {
        await endAccess(deps.db, { accountId, keyId }, act);
        await sessions.endAllOf({ accountId, keyId });
      }
    }
    // Noted last: after a crash, the provider can send the token again.
    await signIn.attempts.noteUse(id, logout.id, logoutSeconds * 2);
    return c.body(null, 200);
  });

  function signedOut(c: Context<ApiEnv>): Response {
    gate.take(c);
    // What the browser stored of the account, such as thumbnails.
    c.header('Clear-Site-Data', '"cache"');
    return c.body(null, 204);
  }

  /** Begins the session of somebody whom the provider knows, if they have a role here. */
  async function arrive(
    c: Context<ApiEnv>,
    { provider: { settings }, identity: known, sessionBefore }: ProvenArrival,
  ): Promise<{ readonly problem: Problem } | { readonly token: string }> {
    const { subject, name, email, groups, providerSession } = known;
    const identity: PersonIdentity = { accountId: settings.account, provider: settings.id, subject };
    const roles = rolesOf(groups, settings.roles);
    if (roles.length === 0) {
      const keyId = await refusePerson(deps.db, identity, addressOf(c));
      if (keyId !== undefined) await sessions.endAllOf({ accountId: settings.account, keyId });
      c.get('logger').info({ provider: settings.id, groups: groups.length }, 'a person without a role was refused');
      return { problem: 'no-role' };
    }
    const admitted = await admitPerson(deps.db, { ...identity, name, email, roles }, addressOf(c)).catch(
      (error: unknown) => {
        if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'conflict')) throw error;
        c.get('logger').warn({ provider: settings.id, accountId: settings.account }, error.message);
        return 'no-account' as const;
      },
    );
    if (admitted === 'no-account') return { problem: 'no-account' };
    if (admitted === undefined) return { problem: 'revoked' };
    // A session of this browser is never continued, whoever began it.
    const before = gate.tokenOf(c);
    if (before !== undefined) await sessions.end(before);
    if (sessionBefore !== undefined) await sessions.endByHash(sessionBefore);
    const { accountId, provider } = identity;
    const token = await sessions.begin({ accountId, provider, ...admitted, providerSession });
    gate.give(c, token);
    return { token };
  }
}

interface ProvenArrival {
  readonly provider: Provider;
  readonly identity: Identity;
  /** The hash of the token of the session that the browser had when it began to sign in. */
  readonly sessionBefore: string | undefined;
}

/** Refuses more requests than `perMinute` from one network. */
function limitTo(
  perMinute: number,
  what: 'sign-ins' | 'logouts',
  addressOf: (c: Context<ApiEnv>) => string,
): MiddlewareHandler<ApiEnv> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (c, next) => {
    await limiter.consume(networkOf(addressOf(c))).catch((refusal: unknown) => {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new AppError('rate_limited', `Too many ${what} from this address. Try again in a minute.`, {
        retryAfterSeconds: refusal.msBeforeNext / 1_000,
      });
    });
    await next();
  };
}

/** Whether a page of another site opened this address; old browsers do not say. */
function isFromElsewhere(c: Context<ApiEnv>): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** The roles of somebody in these groups, each once. */
function rolesOf(
  groups: readonly string[],
  assigned: readonly { readonly group: string; readonly role: Role }[],
): readonly Role[] {
  return [...new Set(assigned.filter(({ group }) => groups.includes(group)).map(({ role }) => role))];
}

/** The page of the console that a person wanted; its first page if the path leads anywhere else. */
export function pathIn(origin: string, path: string | undefined): string {
  if (path === undefined || path.length > maxPathLength || !URL.canParse(path, origin)) return startPage;
  const target = new URL(path, origin);
  const isPage = target.origin === origin && target.pathname.startsWith(startPage);
  return isPage && !target.pathname.startsWith('/console/sign-in') ? target.pathname + target.search : startPage;
}

const backWith = (c: Context<ApiEnv>, problem: Problem): Response =>
  c.redirect(`/console/?sign-in-problem=${problem}`, 303);

function ignoreEnded(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'unauthorized')) throw error;
}

/** Logs why a provider's answer was refused. The error may hold tokens and claims, so only its texts are logged. */
function report(c: Context<ApiEnv>, { settings }: Provider, error: unknown): undefined {
  const { name, message } = error instanceof Error ? error : new Error('unknown');
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  c.get('logger').warn(
    { provider: settings.id, reason: `${name}: ${message}`.slice(0, 300), code },
    'a sign-in failed',
  );
}
