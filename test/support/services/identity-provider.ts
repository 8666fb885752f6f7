import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

/** Somebody whom the provider knows. */
export interface ProviderAccount {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
}

/** An OpenID Connect provider on this machine, in which tests choose who signs in and what the tokens say. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Who signs in next; undefined for somebody who refuses. */
  next: ProviderAccount | undefined;
  /** Changes the claims of the next ID tokens, which are signed again. */
  alter: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Signs the altered tokens; by default the provider's own. */
  signingKey: CryptoKey;
  readonly ownKey: CryptoKey;
  /** The claims of the last ID token. */
  readonly lastClaims: () => JWTPayload;
  /** Everything secret that the provider has issued: codes and tokens. */
  readonly issued: readonly string[];
  /** A token signed with the provider's key. */
  sign(claims: JWTPayload, options?: { readonly type?: string; readonly key?: CryptoKey }): Promise<string>;
  /** Tells the service that a session has ended, as the provider does when a person signs out there. */
  logOut(sub: string, sid: string): Promise<void>;
  close(): Promise<void>;
}

export interface ProviderClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly logoutUri: string;
}

const kid = 'test';
const accounts = new Map<string, ProviderAccount>();

/** `host` has another site than the service, so that browsers treat them as different sites: `localhost`, for example. */
export async function startIdentityProvider(host: string, client: ProviderClient): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const issued: string[] = [];
  let last: JWTPayload = {};
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    cookies: { keys: ['test'] },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        backchannel_logout_uri: client.logoutUri,
        backchannel_logout_session_required: true,
      },
    ],
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { openid: ['sub', 'sid'], profile: ['name'], email: ['email'], groups: ['groups'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // By default it refuses addresses of this machine.
    fetch: (url, init) => {
      const { dispatcher: _dispatcher, ...options } = (init ?? {}) as RequestInit & { readonly dispatcher?: unknown };
      return fetch(url, options);
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ ...accounts.get(id), sub: id, groups: [...(accounts.get(id)?.groups ?? [])] }),
    }),
    // Nobody is asked for consent.
    async loadExistingGrant(context) {
      const { provider: own, session, client: asking } = context.oidc;
      const grant = new own.Grant({ clientId: asking?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  });
  const idp = {
    issuer,
    next: undefined as ProviderAccount | undefined,
    alter: undefined as IdentityProvider['alter'],
    signingKey: privateKey,
    ownKey: privateKey,
    issued,
    lastClaims: () => last,
    sign: (claims: JWTPayload, { type = 'logout+jwt', key = privateKey } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: type }).sign(key),
    async logOut(sub: string, sid: string) {
      const found = (await provider.Client.find(client.id)) as unknown as {
        backchannelLogout(sub: string, sid: string): Promise<void>;
      };
      await found.backchannelLogout(sub, sid);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  provider.use(async (context, next) => {
    await next();
    if (context.path !== '/token') return;
    const body = context.body as { id_token?: string; access_token?: string };
    if (body.id_token === undefined) return;
    if (body.access_token !== undefined) issued.push(body.access_token);
    const claims = decodeJwt(body.id_token);
    last = claims;
    if (idp.alter !== undefined)
      body.id_token = await idp.sign(idp.alter(claims), { type: 'JWT', key: idp.signingKey });
    issued.push(body.id_token);
  });
  const serveOthers = provider.callback();
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const person = idp.next;
    if (person !== undefined) accounts.set(person.sub, person);
    const result =
      person === undefined
        ? { error: 'access_denied', error_description: 'the person refused' }
        : { login: { accountId: person.sub, remember: false } };
    await provider.interactionFinished(request, response, result);
  };
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void interact(request, response);
    else void serveOthers(request, response);
  });
  return idp;
}
