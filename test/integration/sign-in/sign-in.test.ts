import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { matchAddress } from '../../../src/api/erasure/address-matcher.ts';
import { createSessions } from '../../../src/api/middleware/sessions.ts';
import { createSignIn } from '../../../src/api/sign-in/sign-in.ts';
import { createAccount } from '../../../src/shared/domain/accounts/create-account.ts';
import { createKey, revokeKey } from '../../../src/shared/domain/api-keys/create-key.ts';
import { forgetPeople } from '../../../src/shared/domain/api-keys/people.ts';
import { rotateKey } from '../../../src/shared/domain/api-keys/rotate-key.ts';
import { listActs } from '../../../src/shared/domain/audit/list-acts.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { openRedis, redisReady } from '../../../src/shared/queue/redis.ts';
import { findFreePort } from '../../../tools/local/ports.ts';
import { createVisitor, type Visitor } from '../../support/client/visitor.ts';
import { useDatabase } from '../../support/services/database.ts';
import { type ProviderAccount, startIdentityProvider } from '../../support/services/identity-provider.ts';
import { newPrefix, silent } from '../../support/services/redis.ts';
import { startApplication } from '../../unit/api/application.ts';

const { db, pool } = useDatabase();
const redis = openRedis({ REDIS_URL: inject('redisUrl'), REDIS_CLUSTER: false }, 'commands', silent);
await redisReady(redis, 60_000);
const prefix = newPrefix();
const { accountId } = await createAccount(db, 'Acme');
const lines: string[] = [];
const secret = 'a secret of the client: 100%';

interface Limits {
  readonly idleSeconds?: number;
  readonly absoluteSeconds?: number;
  readonly cacheSeconds?: number;
  readonly id?: string;
  readonly account?: string;
}

/** A service with a provider of its own. */
async function startService({
  idleSeconds = 3_600,
  absoluteSeconds = 36_000,
  cacheSeconds = 0,
  id = 'acme',
  account = accountId,
}: Limits = {}) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const at = `${origin}/console/sign-in/acme`;
  const client = { id: 'docmill', secret, redirectUri: `${at}/callback`, logoutUri: `${at}/back-channel-logout` };
  const provider = await startIdentityProvider('localhost', client);
  afterAll(() => provider.close());
  const signIn = createSignIn(
    {
      origin,
      idleSeconds,
      absoluteSeconds,
      providers: [
        {
          id,
          name: 'Acme',
          issuer: provider.issuer,
          clientId: client.id,
          clientSecret: secret,
          clientAuthentication: 'basic',
          account,
          groupsClaim: 'groups',
          scopes: ['openid', 'profile', 'email', 'groups'],
          roles: [
            { group: 'writers', role: 'author' },
            { group: 'readers', role: 'viewer' },
            { group: 'chiefs', role: 'admin' },
          ],
        },
      ],
    },
    { db, redis, prefix, cacheSeconds },
  );
  const logger = createLogger('info', 'test', (line: unknown) => void lines.push(JSON.stringify(line)));
  await startApplication({}, {}, 'all', { port, services: { db, redis, signIn, logger } });
  return { origin, at, provider };
}

const { origin, at, provider } = await startService();
afterAll(() => redis.disconnect());
afterEach(() => {
  provider.alter = undefined;
  provider.signingKey = provider.ownKey;
});

const fromConsole = { 'Docmill-Session': 'console' };
const ada = (groups: readonly string[] = ['writers'], sub = 'ada'): ProviderAccount => ({
  sub,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  groups,
});
const isCallback = (url: URL): boolean => url.pathname.endsWith('/callback');
const isConsole = (url: URL): boolean => url.origin === origin && !url.pathname.startsWith('/console/sign-in');

/** Signs in and returns the address at which the person arrives. */
async function signIn(visitor: Visitor, who: ProviderAccount | undefined, to = ''): Promise<URL> {
  provider.next = who;
  return (await visitor.follow(`${at}/start${to}`, isConsole)).address;
}

async function signedIn(who = ada()): Promise<Visitor> {
  const visitor = createVisitor();
  expect((await signIn(visitor, who)).search).toBe('');
  return visitor;
}

/** The status of a request with the session. */
const statusOf = async (visitor: Visitor, headers: Readonly<Record<string, string>> = fromConsole) =>
  (await visitor.call(`${origin}/v1/account/key`, { headers })).status;

const cookieOf = (visitor: Visitor): string | undefined => visitor.cookies.get('127.0.0.1')?.get('docmill-session');
const post = (visitor: Visitor, path: string, headers: Readonly<Record<string, string>> = fromConsole) =>
  visitor.call(`${origin}/console/sign-in/${path}`, { method: 'POST', headers });
const problemOf = (address: URL): string | null => address.searchParams.get('sign-in-problem');
const actions = async () =>
  (await listActs(db, { accountId, action: undefined, since: undefined, before: undefined, limit: 3 })).acts;

interface Key {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly person?: { readonly provider: string; readonly email?: string; readonly roles: readonly string[] };
}
const keyOf = async (visitor: Visitor) =>
  (await visitor.call(`${origin}/v1/account/key`, { headers: fromConsole })).json<Key>();

describe('a person who signs in', () => {
  test('arrives at the page that they wanted, with a session that has the scopes of their roles', async () => {
    const visitor = createVisitor();
    const address = await signIn(visitor, ada(), `?to=${encodeURIComponent('/console/templates?search=a')}`);
    expect(address.href).toBe(`${origin}/console/templates?search=a`);
    const key = await keyOf(visitor);
    expect(key.person).toEqual({ provider: 'acme', email: 'ada@example.com', roles: ['author'] });
    expect(key.scopes).toEqual(['templates:read', 'templates:write', 'documents:read', 'generate']);
    const about = await visitor.call(`${origin}/console/sign-in/session`, { headers: fromConsole });
    expect(about.json()).toEqual({
      person: {
        keyId: key.id,
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        roles: ['author'],
        provider: 'Acme',
        endsAt: expect.stringMatching(/Z$/),
      },
    });
    const [act] = await actions();
    expect(act).toMatchObject({ action: 'sign-in', actor: key.id, target: key.id, outcome: 'succeeded' });
    expect(act?.options).toEqual({ provider: 'acme', roles: 'author' });
  });

  test('has the same key each time, and the roles of their groups at that time', async () => {
    const first = await keyOf(await signedIn(ada(['readers'], 'grace')));
    const second = await keyOf(await signedIn(ada(['readers', 'writers'], 'grace')));
    expect([first.id, first.scopes]).toEqual([second.id, ['templates:read', 'documents:read']]);
    expect(second.person?.roles).toEqual(['author', 'viewer']);
    expect((await keyOf(await signedIn(ada(['chiefs'], 'grace')))).scopes).toContain('webhooks');
  });

  test('may sign in for the first time in two browsers at once', async () => {
    const visitors = await Promise.all(Array.from({ length: 4 }, () => signedIn(ada(['readers'], 'twice'))));
    expect(new Set(await Promise.all(visitors.map(async (each) => (await keyOf(each)).id))).size).toBe(1);
  });

  test('gets a cookie that scripts cannot read and that other sites do not send', async () => {
    provider.next = ada();
    const visitor = createVisitor();
    const { address } = await visitor.follow(`${at}/start`, isCallback);
    const answer = await visitor.call(address);
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('docmill-session='));
    expect(cookie).toMatch(/^docmill-session=[\w-]{43}; Max-Age=36000; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(await redis.keys(`*${cookieOf(visitor)}*`)).toEqual([]);
  });

  test('is never led to another site', async () => {
    for (const to of [
      'https://evil.example/console/',
      '//evil.example/console/',
      '/\\evil.example',
      '/v1/x',
      '/console/../x',
    ])
      expect((await signIn(createVisitor(), ada(), `?to=${encodeURIComponent(to)}`)).href).toBe(`${origin}/console/`);
  });

  test('without a role is refused, and earlier sessions end', async () => {
    const before = await signedIn(ada(['writers'], 'linus'));
    expect(await statusOf(before)).toBe(200);
    const after = createVisitor();
    expect(problemOf(await signIn(after, ada(['others'], 'linus')))).toBe('no-role');
    expect([await statusOf(before), await statusOf(after)]).toEqual([401, 401]);
    expect((await actions())[0]?.action).toBe('sign-in-refused');
    expect(problemOf(await signIn(createVisitor(), ada([], 'never seen')))).toBe('no-role');
    expect(await statusOf(await signedIn(ada(['writers'], 'linus')))).toBe(200);
  });

  test('sees so after refusing at the provider', async () => {
    expect(problemOf(await signIn(createVisitor(), undefined))).toBe('denied');
  });

  test('whose key the operator revoked stays outside', async () => {
    const visitor = await signedIn(ada(['writers'], 'gone'));
    await revokeKey(db, (await keyOf(visitor)).id);
    expect(await statusOf(visitor)).toBe(401);
    expect(problemOf(await signIn(createVisitor(), ada(['writers'], 'gone')))).toBe('revoked');
    expect((await actions())[0]?.action).toBe('sign-in-refused');
  });
});

test('two tabs of a browser may sign in at the same time', async () => {
  provider.next = ada();
  const visitor = createVisitor();
  const { address: form } = await visitor.follow(`${at}/start`, (url) => url.origin !== origin);
  expect(problemOf((await visitor.follow(`${at}/start`, isConsole)).address)).toBeNull();
  expect(problemOf((await visitor.follow(form, isConsole)).address)).toBeNull();
  expect(await statusOf(visitor)).toBe(200);
});

test('a new session has the roles of its own sign-in, although the person is cached', async () => {
  const own = await startService({ cacheSeconds: 60 });
  for (const [group, scopes] of [
    ['writers', ['templates:read', 'templates:write', 'documents:read', 'generate']],
    ['readers', ['templates:read', 'documents:read']],
  ] as const) {
    const visitor = createVisitor();
    own.provider.next = ada([group], 'changes');
    await visitor.follow(`${own.at}/start`, (url) => url.origin === own.origin && !url.pathname.includes('sign-in'));
    const key = await visitor.call(`${own.origin}/v1/account/key`, { headers: fromConsole });
    expect(key.json<Key>().scopes).toEqual(scopes);
  }
});

test('an e-mail address is no name', async () => {
  const visitor = await signedIn({ ...ada(['readers'], 'nameless'), name: 'ada@example.com' });
  const about = await visitor.call(`${origin}/console/sign-in/session`, { headers: fromConsole });
  expect(about.json()).toMatchObject({ person: { name: null, email: 'ada@example.com' } });
});

test.each(['a\u0000b', 'a\nb', 'x'.repeat(256)])('the subject %j is refused with a reason', async (sub) => {
  provider.alter = (claims) => ({ ...claims, sub });
  expect(problemOf(await signIn(createVisitor(), ada()))).toBe('provider');
});

test('one address can use up its sign-ins, but stops neither sessions nor logouts', async () => {
  const visitor = await signedIn();
  const own = await startService();
  const start = async () => (await fetch(`${own.origin}/console/sign-in/other/start`)).status;
  const statuses = new Set<number>();
  for (let round = 0; round < 7; round++)
    for (const status of await Promise.all(Array.from({ length: 50 }, start))) statuses.add(status);
  expect(statuses).toEqual(new Set([404, 429]));
  const about = await visitor.call(`${own.origin}/console/sign-in/session`, { headers: fromConsole });
  expect(about.json()).toMatchObject({ person: { name: 'Ada Lovelace' } });
  expect((await fetch(`${own.at}/back-channel-logout`, { method: 'POST' })).status).toBe(400);
  const signOut = `${own.origin}/console/sign-in/sign-out`;
  expect((await visitor.call(signOut, { method: 'POST', headers: fromConsole })).status).toBe(204);
});

test('a page of another site cannot begin a sign-in', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const answer = await createVisitor().call(`${at}/start`, { headers: { 'Sec-Fetch-Site': site } });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/console/']);
  }
  const answer = await createVisitor().call(`${at}/start`, { headers: { 'Sec-Fetch-Site': 'same-origin' } });
  expect(answer.headers.get('Location')).toContain(provider.issuer);
});

test('name and address of a person can be erased, and the other people stay', async () => {
  const erased = { ...ada(['readers'], 'erased'), email: 'Erased@example.com' };
  const [visitor, other] = [await signedIn(erased), await signedIn(ada(['readers'], 'kept'))];
  await forgetPeople(db, accountId, matchAddress('erased@example.com').isIn);
  expect((await keyOf(visitor)).person).toEqual({ provider: 'acme', roles: ['viewer'] });
  expect((await keyOf(other)).person?.email).toBe('ada@example.com');
});

test('a key may have a person of its account as owner, and nobody else', async () => {
  const { id: ownerId } = await keyOf(await signedIn());
  const created = await createKey(db, { accountId, ownerId });
  expect(created.ownerId).toBe(ownerId);
  const { accountId: elsewhere } = await createAccount(db, 'Elsewhere');
  for (const input of [
    { accountId, ownerId: created.keyId },
    { accountId: elsewhere, ownerId },
  ])
    await expect(createKey(db, input)).rejects.toThrow(/^Nobody with the id/);
  await expect(rotateKey(db, { keyId: ownerId, overlapMs: 0, isForced: false })).rejects.toThrow(/is a person/);
});

describe('an answer of the provider is refused', () => {
  const nowSeconds = () => Math.floor(Date.now() / 1_000);
  test.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _nonce, ...claims }) => claims],
    ['another audience', (claims) => ({ ...claims, aud: 'another' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'http://localhost:1' })],
    ['an end in the past', (claims) => ({ ...claims, iat: nowSeconds() - 900, exp: nowSeconds() - 300 })],
    ['a beginning in the future', (claims) => ({ ...claims, nbf: nowSeconds() + 300 })],
  ])('with %s', async (_what, alter) => {
    provider.alter = alter;
    const visitor = createVisitor();
    expect(problemOf(await signIn(visitor, ada()))).toBe('provider');
    expect(cookieOf(visitor)).toBeUndefined();
  });

  test('with the signature of somebody else', async () => {
    provider.alter = (claims) => claims;
    expect(problemOf(await signIn(createVisitor(), ada()))).toBeNull();
    provider.signingKey = (await generateKeyPair('RS256')).privateKey;
    expect(problemOf(await signIn(createVisitor(), ada()))).toBe('provider');
  });

  test('when it comes a second time', async () => {
    provider.next = ada();
    const visitor = createVisitor();
    const { address } = await visitor.follow(`${at}/start`, isCallback);
    const cookies = new Map(visitor.cookies.get('127.0.0.1'));
    expect(problemOf((await visitor.follow(address, isConsole)).address)).toBeNull();
    visitor.cookies.set('127.0.0.1', cookies);
    expect(problemOf((await visitor.follow(address, isConsole)).address)).toBe('expired');
  });

  test('when the same code comes with a new state', async () => {
    provider.next = ada();
    const visitor = createVisitor();
    const used = (await visitor.follow(`${at}/start`, isCallback)).address;
    expect(problemOf((await visitor.follow(used, isConsole)).address)).toBeNull();
    const fresh = (await visitor.follow(`${at}/start`, isCallback)).address;
    fresh.searchParams.set('code', used.searchParams.get('code') ?? '');
    expect(problemOf((await visitor.follow(fresh, isConsole)).address)).toBe('provider');
  });

  test('when it comes too late', async () => {
    provider.next = ada();
    const visitor = createVisitor();
    const { address } = await visitor.follow(`${at}/start`, isCallback);
    const kept = await redis.keys(`${prefix}:sign-in:*`);
    for (const key of kept) expect(await redis.ttl(key)).toBeLessThanOrEqual(600);
    await redis.del(...kept);
    expect(problemOf((await visitor.follow(address, isConsole)).address)).toBe('expired');
  });

  test('in another browser, whose user would otherwise work in an account that is not theirs', async () => {
    provider.next = ada();
    const attacker = createVisitor();
    const { address } = await attacker.follow(`${at}/start`, isCallback);
    const victim = createVisitor();
    expect(problemOf((await victim.follow(address, isConsole)).address)).toBe('other-browser');
    expect(cookieOf(victim)).toBeUndefined();
    expect(problemOf((await attacker.follow(address, isConsole)).address)).toBe('expired');
  });

  test('with a made-up state', async () => {
    const address = `${at}/callback?code=x&state=y`;
    expect(problemOf((await createVisitor().follow(address, isConsole)).address)).toBe('expired');
  });
});

describe('a session', () => {
  test('is accepted only from the console', async () => {
    const visitor = await signedIn();
    const create = (headers: Readonly<Record<string, string>>) =>
      visitor.call(`${origin}/v1/webhooks/x`, { method: 'DELETE', headers });
    expect(await statusOf(visitor)).toBe(200);
    expect(await statusOf(visitor, {})).toBe(401);
    expect(await statusOf(visitor, { 'Docmill-Session': 'other' })).toBe(401);
    expect((await create({})).text).toContain('only from the console');
    for (const from of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      expect((await create({ ...fromConsole, ...from })).status).toBe(401);
      expect((await post(visitor, 'sign-out', { ...fromConsole, ...from })).status).toBe(401);
    }
    expect((await create({ ...fromConsole, Origin: origin, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(403);
  });

  test('gives way to a key in the same request', async () => {
    const visitor = await signedIn();
    expect(await statusOf(visitor, { ...fromConsole, Authorization: 'Bearer wrong' })).toBe(401);
    // The key of another account, which has no such row.
    expect(await statusOf(visitor, { ...fromConsole, Authorization: 'Bearer all' })).toBe(401);
    expect((await visitor.call(`${origin}/v1/webhooks/x`, { headers: { Authorization: 'Bearer all' } })).status).toBe(
      404,
    );
  });

  test('has a new token after each sign-in, and the one before has ended', async () => {
    const visitor = createVisitor();
    const planted = 'x'.repeat(43);
    visitor.cookies.set('127.0.0.1', new Map([['docmill-session', planted]]));
    await signIn(visitor, ada());
    const first = cookieOf(visitor) ?? '';
    expect(first).not.toBe(planted);
    await signIn(visitor, ada());
    expect(cookieOf(visitor)).not.toBe(first);
    const thief = createVisitor();
    for (const token of [planted, first]) {
      thief.cookies.set('127.0.0.1', new Map([['docmill-session', token]]));
      expect(await statusOf(thief)).toBe(401);
    }
    expect(await statusOf(visitor)).toBe(200);
  });

  test('ends at the next sign-in, although the redirect of the provider does not carry its cookie', async () => {
    const visitor = await signedIn();
    const thief = createVisitor();
    thief.cookies.set('127.0.0.1', new Map([['docmill-session', cookieOf(visitor) ?? '']]));
    provider.next = ada();
    const { address } = await visitor.follow(`${at}/start`, isCallback);
    expect(await statusOf(thief)).toBe(200);
    visitor.cookies.get('127.0.0.1')?.delete('docmill-session');
    await visitor.follow(address, isConsole);
    expect([await statusOf(thief), await statusOf(visitor)]).toEqual([401, 200]);
  });

  test('is not used by a page that was opened for another person', async () => {
    const visitor = await signedIn();
    const { id } = await keyOf(visitor);
    const own = { ...fromConsole, 'Docmill-Person': id };
    const other = { ...fromConsole, 'Docmill-Person': 'key_other' };
    expect([await statusOf(visitor, own), await statusOf(visitor, other)]).toEqual([200, 401]);
    expect((await post(visitor, 'sign-out-everywhere', other)).status).toBe(401);
    expect((await post(visitor, 'sign-out', other)).status).toBe(401);
    expect((await post(visitor, 'sign-out', own)).status).toBe(204);
  });

  test('ends when its provider is removed, or works for another account', async () => {
    const { accountId: elsewhere } = await createAccount(db, 'New account');
    const visitor = await signedIn();
    const statuses = [];
    for (const changes of [{}, { id: 'other' }, { account: elsewhere }]) {
      const service = await startService(changes);
      statuses.push((await visitor.call(`${service.origin}/v1/account/key`, { headers: fromConsole })).status);
    }
    expect(statuses).toEqual([200, 401, 401]);
  });

  test('does not begin with a session of the provider that has ended before', async () => {
    const sessions = createSessions(redis, prefix, { idleSeconds: 60, absoluteSeconds: 60 });
    const begin = async (providerSession: string) =>
      sessions.use(
        await sessions.begin({ accountId, keyId: 'key_x', provider: 'acme', startedAtMs: 1, providerSession }),
      );
    expect(await sessions.endOfProvider('acme', 'late', async () => undefined)).toBe(false);
    expect([await begin('late'), (await begin('other'))?.keyId]).toEqual([undefined, 'key_x']);
  });

  test('is found again by a repeated logout if recording it failed', async () => {
    const sessions = createSessions(redis, prefix, { idleSeconds: 60, absoluteSeconds: 60 });
    await sessions.begin({ accountId, keyId: 'key_y', provider: 'acme', startedAtMs: 1, providerSession: 'again' });
    const failure = new Error('the database is away');
    await expect(sessions.endOfProvider('acme', 'again', () => Promise.reject(failure))).rejects.toBe(failure);
    const seen: string[] = [];
    await sessions.endOfProvider('acme', 'again', async ({ keyId }) => void seen.push(keyId));
    expect(seen).toEqual(['key_y']);
  });

  test('ends by signing out, once and for all', async () => {
    const [visitor, other] = [await signedIn(), await signedIn()];
    const token = cookieOf(visitor) ?? '';
    const signedOut = await post(visitor, 'sign-out');
    expect([signedOut.status, signedOut.headers.get('Clear-Site-Data')]).toEqual([204, '"cache"']);
    expect(cookieOf(visitor)).toBeUndefined();
    visitor.cookies.set('127.0.0.1', new Map([['docmill-session', token]]));
    expect([await statusOf(visitor), await statusOf(other)]).toEqual([401, 200]);
    expect((await post(visitor, 'sign-out')).status).toBe(401);
    expect((await actions())[0]?.action).toBe('sign-out');
  });

  test('ends everywhere, even if Redis had kept it', async () => {
    const [visitor, other, bystander] = [
      await signedIn(ada(['writers'], 'many')),
      await signedIn(ada(['writers'], 'many')),
      await signedIn(ada(['writers'], 'bystander')),
    ];
    const kept = await Promise.all(
      (await redis.keys(`${prefix}:session:*`)).map(async (key) => [key, await redis.get(key)] as const),
    );
    expect((await post(visitor, 'sign-out-everywhere')).status).toBe(204);
    expect([await statusOf(other), await statusOf(bystander)]).toEqual([401, 200]);
    for (const [key, value] of kept) await redis.set(key, value ?? '');
    expect([await statusOf(other), await statusOf(bystander)]).toEqual([401, 200]);
    expect((await actions())[0]?.action).toBe('sign-out-everywhere');
    expect(await statusOf(await signedIn(ada(['writers'], 'many')))).toBe(200);
  });

  test('of a suspended account is refused with the reason', async () => {
    const visitor = await signedIn();
    await pool.query('update accounts set suspended_at = now() where id = $1', [accountId]);
    expect(await statusOf(visitor)).toBe(403);
    await pool.query('update accounts set suspended_at = null where id = $1', [accountId]);
    expect(await statusOf(visitor)).toBe(200);
  });

  test('ends when it is not used, and after its longest time however much it is used', async () => {
    const idle = await startService({ idleSeconds: 1 });
    const short = await startService({ absoluteSeconds: 2 });
    const signInAt = async (service: typeof idle) => {
      const visitor = createVisitor();
      service.provider.next = ada();
      await visitor.follow(
        `${service.at}/start`,
        (url) => url.origin === service.origin && !url.pathname.includes('sign-in'),
      );
      return {
        visitor,
        status: async () => (await visitor.call(`${service.origin}/v1/account/key`, { headers: fromConsole })).status,
      };
    };
    const used = await signInAt(short);
    expect(await used.status()).toBe(200);
    await expect.poll(used.status).toBe(401);

    const before = new Set(await redis.keys(`${prefix}:session:*`));
    const unused = await signInAt(idle);
    const [own = ''] = (await redis.keys(`${prefix}:session:*`)).filter((key) => !before.has(key));
    await redis.pexpire(own, 300);
    expect(await unused.status()).toBe(200);
    expect(await redis.pttl(own)).toBeGreaterThan(300);
    await expect.poll(() => redis.exists(own)).toBe(0);
    expect(await unused.status()).toBe(401);
  });
});

describe('the provider ends sessions', () => {
  const sendLogout = (token: string) =>
    fetch(`${at}/back-channel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  let count = 0;
  const claims = (changes: Readonly<Record<string, unknown>> = {}) =>
    ({
      iss: provider.issuer,
      aud: 'docmill',
      iat: Math.floor(Date.now() / 1_000),
      exp: Math.floor(Date.now() / 1_000) + 120,
      jti: `token ${count++}`,
      events: event,
      sub: 'back',
      ...changes,
    }) as JWTPayload;
  const back = () => signedIn(ada(['writers'], 'back'));

  test('by the id of its own session', async () => {
    const visitor = await back();
    const { sid } = provider.lastClaims();
    const other = await back();
    await provider.logOut('back', String(sid));
    expect([await statusOf(visitor), await statusOf(other)]).toEqual([401, 200]);
    expect((await actions())[0]?.action).toBe('back-channel-logout');
    // Again for a session that has ended: the other one is not touched.
    await provider.logOut('back', String(sid));
    expect(await statusOf(other)).toBe(200);
  });

  test('by the person, or by a session that it never named', async () => {
    for (const changes of [{}, { sid: 'unknown' }]) {
      const visitors = [await back(), await back()];
      expect((await sendLogout(await provider.sign(claims(changes)))).status).toBe(200);
      for (const visitor of visitors) expect(await statusOf(visitor)).toBe(401);
    }
    expect((await sendLogout(await provider.sign(claims({ sub: 'unknown' })))).status).toBe(200);
  });

  test('once with each token', async () => {
    const token = await provider.sign(claims());
    expect((await sendLogout(token)).status).toBe(200);
    const visitor = await back();
    expect((await sendLogout(token)).status).toBe(400);
    expect(await statusOf(visitor)).toBe(200);
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['another audience', { aud: 'other' }],
    ['another issuer', { iss: 'http://localhost:1' }],
    ['a nonce, which only ID tokens have', { nonce: 'n' }],
    ['no event', { events: {} }],
    ['an event that is no object', { events: 'x' }],
    ['nobody', { sub: undefined }],
    ['no id', { jti: undefined }],
    ['no time', { iat: undefined }],
    ['an old time', { iat: Math.floor(Date.now() / 1_000) - 900 }],
    ['a time to come', { iat: Math.floor(Date.now() / 1_000) + 900 }],
    ['an end in the past', { exp: Math.floor(Date.now() / 1_000) - 300 }],
  ])('but not by a token with %s', async (_what, changes) => {
    const visitor = await back();
    const answer = await sendLogout(await provider.sign(claims(changes)));
    expect([answer.status, await statusOf(visitor)]).toEqual([400, 200]);
  });

  test('but not by a token that it did not sign', async () => {
    const visitor = await back();
    const { privateKey: key } = await generateKeyPair('RS256');
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims()))}.`;
    const bySecret = await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    const ofOtherKind = await provider.sign(claims(), { type: 'at+jwt' });
    for (const token of [await provider.sign(claims(), { key }), unsigned, bySecret, ofOtherKind, 'x', ''])
      expect((await sendLogout(token)).status).toBe(400);
    expect((await fetch(`${at}/back-channel-logout`, { method: 'POST' })).status).toBe(400);
    expect(await statusOf(visitor)).toBe(200);
  });
});

test('a provider that does not answer, or does not exist, is reported', async () => {
  const own = await startService();
  await own.provider.close();
  const answer = await createVisitor().call(`${own.at}/start`);
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/console/?sign-in-problem=provider']);
  expect((await createVisitor().call(`${origin}/console/sign-in/other/start`)).status).toBe(404);
});

test('without a configuration, nobody can sign in', async () => {
  const { url } = await startApplication();
  for (const path of ['sign-out', 'sign-out-everywhere', 'acme/back-channel-logout'])
    expect((await fetch(`${url}/console/sign-in/${path}`, { method: 'POST' })).status).toBe(405);
  const headers = { ...fromConsole, Cookie: `docmill-session=${'x'.repeat(43)}` };
  expect(await (await fetch(`${url}/v1/account/key`, { headers })).text()).toContain('Missing or invalid API key');
});

test('logs and stored rows contain no token, no code and no secret', async () => {
  const visitor = createVisitor();
  provider.next = ada();
  const { address } = await visitor.follow(`${at}/start`, isCallback);
  await visitor.follow(address, isConsole);
  provider.alter = (claims) => ({ ...claims, nonce: 'another' });
  await signIn(createVisitor(), ada());
  const log = lines.join('\n');
  expect(log).toContain('a sign-in failed');
  const values = await Promise.all(
    (await redis.keys(`${prefix}:*`)).map(async (key) => ((await redis.type(key)) === 'string' ? redis.get(key) : '')),
  );
  const { rows } = await pool.query('select * from api_keys where account_id = $1', [accountId]);
  const stored = JSON.stringify([values, rows]);
  const secrets = [address.searchParams.get('code') ?? '', cookieOf(visitor) ?? '', secret, ...provider.issued];
  expect(secrets.length).toBeGreaterThan(5);
  for (const text of [log, stored]) for (const each of secrets) expect(text.includes(each), each).toBe(false);
});
