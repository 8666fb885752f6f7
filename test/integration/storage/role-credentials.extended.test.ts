import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadStorageConfig } from '../../../src/shared/config/load-config.ts';
import { openObjects } from '../../../src/shared/connections.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import type { ObjectStore } from '../../../src/shared/storage/objects.ts';
import { type AwsPlatform, startAwsPlatform } from '../../support/faults/aws-platform.ts';
import { keysIn } from './use-store.ts';

interface Accounts {
  readonly DUMMY_ACCOUNT: {
    createKeyPair(accessKeyId: string, secretAccessKey: string): void;
    revokeAccessKey(accessKeyId: string): void;
  };
}
const { DUMMY_ACCOUNT: account } = createRequire(import.meta.url)('@20minutes/s3rver/lib/models/account') as Accounts;

let folder = '';
let endpoint = '';
let server: S3rver;
let platform: AwsPlatform;
let lifetimeMs = 3_600_000;
let identity = 'identity-1';
let issued = 0;
/** The session token that belongs to each access key. */
const sessions = new Map<string, string>();
/** Requests whose session token is not that of their access key. */
let withoutSession = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docmill-role-'));
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: folder,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: 'docmill' }],
  });
  await server.run();
  endpoint = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}`;
  server.httpServer.prependListener('request', (request) => {
    const key = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (request.headers['x-amz-security-token'] !== sessions.get(key)) withoutSession += 1;
  });
  platform = await startAwsPlatform({
    issue() {
      issued += 1;
      const accessKeyId = `ASIA${issued}`;
      const credentials = {
        accessKeyId,
        secretAccessKey: randomBytes(12).toString('hex'),
        sessionToken: `session/${issued}+=`,
      };
      account.createKeyPair(accessKeyId, credentials.secretAccessKey);
      sessions.set(accessKeyId, credentials.sessionToken);
      // Like AWS, the server refuses the key once it has expired.
      setTimeout(() => account.revokeAccessKey(accessKeyId), lifetimeMs).unref();
      return credentials;
    },
    lifetimeMs: () => lifetimeMs,
    token: () => identity,
  });
});

afterAll(async () => {
  await platform.close();
  server.httpServer.closeAllConnections();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  platform.behave('giving');
  lifetimeMs = 3_600_000;
  identity = 'identity-1';
  withoutSession = 0;
});

const tokenFile = (): string => {
  const path = join(folder, 'token');
  writeFileSync(path, `${identity}\n`);
  return path;
};

const platforms: readonly (readonly [name: string, variables: () => Record<string, string>])[] = [
  ['the role of an EC2 instance', () => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: platform.url })],
  [
    'an ECS task',
    () => ({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${platform.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: identity,
    }),
  ],
  [
    'EKS Pod Identity',
    () => ({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${platform.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile(),
    }),
  ],
  [
    'the service account of a pod (IRSA)',
    () => ({
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile(),
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/docmill',
      AWS_ENDPOINT_URL_STS: platform.url,
    }),
  ],
];

function newStore(variables: Record<string, string>, timeoutMs = 20_000): { store: ObjectStore; log: string[] } {
  const log: string[] = [];
  const config = loadStorageConfig({
    S3_ENDPOINT: endpoint,
    S3_CREDENTIALS: 'role',
    S3_TIMEOUT_MS: String(timeoutMs),
    ...variables,
  });
  const store = openObjects(
    config,
    createLogger('warn', 'test', (line) => log.push(line)),
  );
  onTestFinished(() => store.close());
  return { store, log };
}

const instance = () => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: platform.url });

describe.each(platforms)('with %s', (_, variables) => {
  it('documents are stored, read, listed and removed', async () => {
    const { store } = newStore(variables());
    await store.put('a/1', Buffer.from('hello'), 'text/plain');
    expect((await store.getRange('a/1', 0, 5))?.toString()).toBe('hello');
    const parts = (async function* () {
      for (let part = 0; part < 12; part++) yield Buffer.alloc(1024 * 1024, part);
    })();
    expect(await store.putStream('a/2', parts, 'application/zip')).toBe(12 * 1024 * 1024);
    expect(await keysIn(store, 'a/')).toEqual(['a/1', 'a/2']);
    await store.remove(['a/1', 'a/2']);
    expect(await store.isReachable()).toBe(true);
    expect({ withoutSession }).toEqual({ withoutSession: 0 });
  });

  it('credentials are replaced before they end, and no call fails', async () => {
    lifetimeMs = 6_000;
    const before = issued;
    const { store } = newStore(variables());
    const caller = async (index: number): Promise<void> => {
      for (let round = 0; issued - before < 3; round++) {
        await store.put(`load/${index}`, Buffer.from(String(round)), 'text/plain');
        expect(String(await store.getRange(`load/${index}`, 0, String(round).length))).toBe(String(round));
      }
    };
    await Promise.all([0, 1, 2, 3].map(caller));
    expect({ withoutSession }).toEqual({ withoutSession: 0 });
  });
});

it('many calls at once query the platform once', async () => {
  const { store } = newStore(instance());
  const before = platform.requests.length;
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => store.put(`many/${index}`, Buffer.from('x'), 'text/plain')),
  );
  expect(platform.requests.slice(before)).toEqual([
    'PUT /latest/api/token',
    'GET /latest/meta-data/iam/security-credentials/',
    'GET /latest/meta-data/iam/security-credentials/docmill%20role',
  ]);
});

it('calls continue with the current credentials while the platform is down', async () => {
  lifetimeMs = 10_000;
  const { store, log } = newStore(instance());
  await store.put('down/1', Buffer.from('x'), 'text/plain');
  platform.behave('failing');
  const write = () => store.put('down/1', Buffer.from('x'), 'text/plain');
  // The client asks for new credentials when half of their lifetime is over.
  const lines = async () => {
    await write();
    return log.length;
  };
  await expect.poll(lines).toBe(1);
  for (let call = 0; call < 20; call++) await write();
  expect(log).toHaveLength(1);
  expect(log[0]).toContain('answered 500 InternalFailure');
  platform.behave('giving');
  lifetimeMs = 3_600_000;
  const before = issued;
  await expect.poll(() => write().then(() => issued)).toBeGreaterThan(before);
});

it('the store is unavailable within its time limit without credentials, and available again when the platform is back', async () => {
  platform.behave('hanging');
  const { store } = newStore(instance(), 1_000);
  await expect(store.put('none/1', Buffer.from('x'), 'text/plain')).rejects.toMatchObject({ code: 'unavailable' });
  platform.behave('failing');
  const other = newStore(instance(), 1_000);
  const asked = platform.requests.length;
  await Promise.all(
    Array.from({ length: 30 }, () =>
      expect(other.store.put('none/1', Buffer.from('x'), 'text/plain')).rejects.toMatchObject({ code: 'unavailable' }),
    ),
  );
  expect(platform.requests.length - asked).toBeLessThan(5);
  platform.behave('giving');
  await expect.poll(() => other.store.isReachable()).toBe(true);
});

it('the token file is read at each renewal, because the platform replaces it', async () => {
  lifetimeMs = 4_000;
  const [, , [, variables] = ['', () => ({})]] = platforms;
  const { store } = newStore(variables());
  await store.put('token/1', Buffer.from('x'), 'text/plain');
  identity = 'identity-2';
  tokenFile();
  const before = issued;
  await expect
    .poll(() => store.put('token/1', Buffer.from('x'), 'text/plain').then(() => issued))
    .toBeGreaterThan(before);
  expect({ withoutSession }).toEqual({ withoutSession: 0 });
});

it('a refused identity is reported with its code, without a token', async () => {
  const [, , , [, variables] = ['', () => ({})]] = platforms;
  const { store, log } = newStore(variables(), 1_000);
  identity = 'identity-3';
  await expect(store.put('x', Buffer.from('x'), 'text/plain')).rejects.toMatchObject({ code: 'unavailable' });
  expect(log.join('')).toContain('answered 400 InvalidIdentityToken');
  expect(log.join('')).not.toMatch(/identity-|hidden/);
});

it.each<[Record<string, string>, RegExp]>([
  [{ S3_CREDENTIALS: 'keys' }, /S3_ACCESS_KEY_ID: is not set; S3_SECRET_ACCESS_KEY: is not set/],
  [{ S3_ACCESS_KEY_ID: 'a' }, /S3_ACCESS_KEY_ID: is set together with S3_CREDENTIALS=role/],
  [{ AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere' }, /AWS_ROLE_ARN: is not set/],
  [{ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.com/' }, /FULL_URI must be https:/],
])('%j is a wrong configuration', (variables, problem) => {
  expect(() => newStore(variables)).toThrow(problem);
});
