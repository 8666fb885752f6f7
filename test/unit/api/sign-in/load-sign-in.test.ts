import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSignIn } from '../../../../src/api/sign-in/load-sign-in.ts';
import { pathIn } from '../../../../src/api/sign-in/serve-sign-in.ts';
import { ConfigError } from '../../../../src/shared/config/load-config.ts';
import { useFolders } from '../../../support/folder.ts';

const folder = useFolders()();
const secretFile = join(folder, 'secret');
writeFileSync(secretFile, 'top secret\n');
const provider = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://login.acme.example',
  clientId: 'docmill',
  clientSecretFile: secretFile,
  account: `acc_${'0'.repeat(26)}`,
  roles: [{ group: 'staff', role: 'author' }],
};
const PUBLIC_URL = 'https://docs.example.com';
let count = 0;

function load(content: unknown, address: string | undefined = PUBLIC_URL) {
  const path = join(folder, `${count++}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return loadSignIn({ SIGN_IN_FILE: path, PUBLIC_URL: address });
}

/** What the error says after the path of the file. */
function problemOf(content: unknown, address?: string): string {
  try {
    load(content, address);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replace(/ \S+\.json/, '');
  }
  return 'accepted';
}

test('without a file, nobody signs in', () => {
  expect(loadSignIn({})).toBeUndefined();
});

test('a file has defaults, and its secret comes from a file of its own', () => {
  expect(load({ providers: [provider] })).toEqual({
    idleSeconds: 3_600,
    absoluteSeconds: 43_200,
    origin: PUBLIC_URL,
    providers: [
      {
        id: 'acme',
        name: 'Acme',
        issuer: 'https://login.acme.example',
        clientId: 'docmill',
        clientSecret: 'top secret',
        clientAuthentication: 'basic',
        account: provider.account,
        groupsClaim: 'groups',
        roles: provider.roles,
        scopes: ['openid', 'profile', 'email'],
      },
    ],
  });
  const short = { idleMinutes: 5, absoluteHours: 1, providers: [provider] };
  expect(load(short, 'http://127.0.0.1:3000')).toMatchObject({
    idleSeconds: 300,
    absoluteSeconds: 3_600,
    origin: 'http://127.0.0.1:3000',
  });
});

test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
  ['an unknown field', { secret: 'x' }, /providers\[0\]\.secret: is not a known field/],
  ['a secret in the file', { clientSecret: 'x' }, /clientSecret: is not a known field/],
  ['no secret', { clientSecretFile: undefined }, /clientSecretFile: is missing/],
  ['the name of a variable', { clientSecretVariable: 'X' }, /clientSecretVariable: is not a known field/],
  ['a missing secret', { clientSecretFile: '/nowhere' }, /provider acme: clientSecretFile: \/nowhere cannot be read/],
  ['HTTP', { issuer: 'http://login.acme.example' }, /issuer: must be an https:\/\/ URL/],
  ['an unknown role', { roles: [{ group: 'x', role: 'boss' }] }, /role: must be one of viewer, author/],
  ['no group', { roles: [] }, /roles: must name a group/],
  ['another kind of account', { account: 'Acme' }, /account: must be the id of an account/],
  ['capitals in the id', { id: 'Acme' }, /id: must have 1 to 40 small letters/],
  ['no openid', { scopes: ['email'] }, /scopes: must include openid/],
])('a provider with %s is refused with the reason', (_what, changes, message) => {
  expect(problemOf({ providers: [{ ...provider, ...changes }] })).toMatch(message);
});

test('a file that is not usable is refused with the reason, and never quoted', () => {
  expect(problemOf('{ secret')).toBe('SIGN_IN_FILE: is not valid JSON');
  expect(problemOf({ providers: [] })).toMatch(/providers: must have a provider/);
  expect(problemOf({ providers: [provider, provider] })).toMatch(/providers: must have different ids/);
  expect(problemOf({ providers: [provider], idleMinutes: 0 })).toMatch(/idleMinutes: must be/);
  expect(() => loadSignIn({ SIGN_IN_FILE: join(folder, 'none'), PUBLIC_URL })).toThrow(/cannot be read \(ENOENT\)/);
});

test('the address of the service must be known, protected, and its own host', () => {
  expect(() => loadSignIn({ SIGN_IN_FILE: 'x' })).toThrow(/PUBLIC_URL: must be set/);
  for (const address of ['http://docs.example.com', 'https://example.com/docmill/'])
    expect(problemOf({ providers: [provider] }, address)).toMatch(/PUBLIC_URL: must be set if SIGN_IN_FILE is/);
});

test.each([
  ['/console/templates?search=a', '/console/templates?search=a'],
  ['/console/templates#key=dts_x', '/console/templates'],
  [undefined, '/console/'],
  ['', '/console/'],
  ['https://evil.example/console/', '/console/'],
  ['//evil.example/console/', '/console/'],
  ['\\\\evil.example/console/', '/console/'],
  ['/console/../v1/templates', '/console/'],
  ['/console/sign-in/acme/start', '/console/'],
  ['javascript:alert(1)', '/console/'],
  [`/console/${'x'.repeat(2_000)}`, '/console/'],
])('after the sign-in, %s leads to %s', (path, expected) => {
  expect(pathIn(PUBLIC_URL, path)).toBe(expected);
});
