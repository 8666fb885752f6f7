import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { isDisplayName } from '../../shared/display-name.ts';
import { isMailAddress } from '../../shared/mail-address.ts';
import type { ProviderSettings } from './load-sign-in.ts';

/** What has to come back with the answer of the provider. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Who a provider says that somebody is. */
export interface Identity {
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly groups: readonly string[];
  /** The provider's id of its session. */
  readonly providerSession: string | undefined;
}

/** Whose sessions a provider ends: those of one of its sessions, or all of a person. */
export interface Logout {
  /** The id of the token, which is accepted once. */
  readonly id: string;
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
}

/** An OpenID Connect provider. No token of it is kept or logged. */
export interface Provider {
  readonly settings: ProviderSettings;
  /** The address at the provider where a person signs in. */
  addressFor(attempt: Attempt): Promise<URL>;
  /** Exchanges the code in the address that the provider sent the person to, and checks everything that it returns. */
  finish(returned: URL, attempt: Attempt): Promise<Identity>;
  /** Checks a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). */
  readLogout(token: string): Promise<Logout>;
}

const timeoutSeconds = 10;
const refreshMs = 3_600_000;
const retryMs = 60_000;
const maxNameLength = 200;
/** OpenID Connect Core 1.0, section 2: at most 255 characters. */
const maxSubjectLength = 255;
/** How old a logout token may be; also for how long its id is remembered. */
export const logoutSeconds = 300;
const clockToleranceSeconds = 30;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures by the provider's private key. A secret that both sides know would let this service make tokens. */
const signatures = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

interface Discovered {
  readonly client: oidc.Configuration;
  readonly keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  readonly untilMs: number;
}

export function createProvider(settings: ProviderSettings, redirectUri: string): Provider {
  const discover = createDiscovery(settings);
  return {
    settings,
    async addressFor({ state, nonce, codeVerifier }) {
      const { client } = await discover();
      return oidc.buildAuthorizationUrl(client, {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    async finish(returned, { state, nonce, codeVerifier }) {
      const { client } = await discover();
      const tokens = await oidc.authorizationCodeGrant(client, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the provider returned no ID token');
      if (!isSubject(claims.sub)) throw new Error('the subject is too long, or has control characters');
      const isComplete = claims[settings.groupsClaim] !== undefined && claims.email !== undefined;
      const further =
        isComplete || client.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(client, tokens.access_token, claims.sub);
      return identityOf({ ...further, ...claims }, settings.groupsClaim, claims.sub);
    },
    async readLogout(token) {
      const { client, keys } = await discover();
      if (keys === undefined) throw new Error('the provider publishes no keys');
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: client.serverMetadata().issuer,
        audience: settings.clientId,
        algorithms: signatures,
        clockTolerance: clockToleranceSeconds,
        maxTokenAge: logoutSeconds,
        requiredClaims: ['jti', 'events'],
      });
      const { events, jti, sub, sid, nonce } = payload;
      const type = protectedHeader.typ?.toLowerCase();
      if (type !== undefined && type !== 'logout+jwt' && type !== 'jwt') throw new Error('this is no logout token');
      if (typeof events !== 'object' || events === null || !(logoutEvent in events) || nonce !== undefined)
        throw new Error('this is no logout token');
      const providerSession = typeof sid === 'string' ? sid : undefined;
      if (sub !== undefined && !isSubject(sub)) throw new Error('the logout token has no valid subject');
      if (typeof jti !== 'string' || (sub === undefined && providerSession === undefined))
        throw new Error('the logout token names nobody');
      return { id: jti, subject: sub, providerSession };
    },
  };
}

const isSubject = (text: string): boolean =>
  text !== '' && text.length <= maxSubjectLength && text.isWellFormed() && !/\p{Cc}/u.test(text);

/**
 * Reads the provider's metadata when it is first needed, and again after an hour. Requests at the same time share one
 * attempt. If a later one fails, the earlier metadata is used for another minute. The first failure is not remembered.
 */
function createDiscovery(settings: ProviderSettings): () => Promise<Discovered> {
  let known: Discovered | undefined;
  let pending: Promise<Discovered> | undefined;
  const discover = async (): Promise<Discovered> => {
    const { issuer, clientId, clientSecret, clientAuthentication } = settings;
    const authentication =
      clientAuthentication === 'basic' ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
    const client = await oidc.discovery(new URL(issuer), clientId, {}, authentication, {
      timeout: timeoutSeconds,
      execute: [
        // The signature of an ID token is checked as well, not only that it came from the provider's address.
        oidc.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
      ],
    });
    const address = client.serverMetadata().jwks_uri;
    const keys = address === undefined ? undefined : createRemoteJWKSet(new URL(address));
    return { client, keys, untilMs: Date.now() + refreshMs };
  };
  const refresh = async (): Promise<Discovered> => {
    try {
      known = await discover();
    } catch (error) {
      if (known === undefined) throw error;
      known = { ...known, untilMs: Date.now() + retryMs };
    } finally {
      pending = undefined;
    }
    return known;
  };
  return async () => {
    if (known !== undefined && known.untilMs > Date.now()) return known;
    pending ??= refresh();
    return await pending;
  };
}

function identityOf(claims: Readonly<Record<string, unknown>>, groupsClaim: string, subject: string): Identity {
  const { name, preferred_username: userName, email, sid } = claims;
  // An e-mail address is no name: names are kept where addresses are not, such as in reviews.
  const shown = [name, userName].find(
    (each): each is string =>
      typeof each === 'string' && isDisplayName(each) && !each.includes('@') && each.length <= maxNameLength,
  );
  const groups = claims[groupsClaim];
  return {
    subject,
    name: shown ?? null,
    email: typeof email === 'string' && isMailAddress(email) ? email : null,
    groups: (Array.isArray(groups) ? groups : [groups]).filter((each) => typeof each === 'string'),
    providerSession: typeof sid === 'string' ? sid : undefined,
  };
}
