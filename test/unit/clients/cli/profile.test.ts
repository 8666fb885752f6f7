import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CliError } from '../../../../clients/cli/src/cli-error.ts';
import {
  parseServiceUrl,
  profilePath,
  readProfiles,
  resolveProfile,
  writeProfiles,
} from '../../../../clients/cli/src/profile.ts';
import { useFolder } from '../../../support/folder.ts';

const local = { url: 'http://127.0.0.1:3000', apiKey: 'dm_local_secret' };
const production = { url: 'https://docmill.example.com', apiKey: 'dm_production_secret' };
const folder = useFolder();
const env = { XDG_CONFIG_HOME: folder.path };
beforeEach(folder.empty);

const store = () => writeProfiles(env, { defaultProfile: 'local', profiles: { local, production } });

describe('stored profiles', () => {
  test('only their owner may read them, and no temporary file remains', () => {
    store();
    expect(statSync(profilePath(env)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(profilePath(env))).mode & 0o777).toBe(0o700);
    expect(folder.list('docmill')).toEqual(['config.json']);
    expect(readProfiles(env)).toEqual({ defaultProfile: 'local', profiles: { local, production } });
  });

  test('a file that other users may read is refused', () => {
    store();
    chmodSync(profilePath(env), 0o640);
    expect(() => readProfiles(env)).toThrow('Other users may read');
  });

  test('the error for a damaged file does not print its content', () => {
    chmodSync(folder.write('docmill/config.json', '{"profiles": "dm_secret'), 0o600);
    expect(() => readProfiles(env)).toThrow(/is damaged\.$/);
  });

  test('a relative XDG_CONFIG_HOME is ignored', () => {
    expect(profilePath({ XDG_CONFIG_HOME: 'config', HOME: '/home/ada' })).toBe('/home/ada/.config/docmill/config.json');
  });
});

describe('the service and key of a command', () => {
  test('come from the default profile, a named one, or DOCMILL_PROFILE', () => {
    store();
    expect(resolveProfile(env)).toEqual({ ...local, name: 'local' });
    expect(resolveProfile(env, 'production')).toEqual({ ...production, name: 'production' });
    expect(resolveProfile({ ...env, DOCMILL_PROFILE: 'production' })).toEqual({ ...production, name: 'production' });
  });

  test('come from the environment before profiles, and from --profile before the environment', () => {
    store();
    const set = { ...env, DOCMILL_URL: 'https://other.example.com/', DOCMILL_API_KEY: ' dm_env ' };
    expect(resolveProfile(set)).toEqual({ url: 'https://other.example.com', apiKey: 'dm_env', name: undefined });
    expect(resolveProfile(set, 'local')).toEqual({ ...local, name: 'local' });
  });

  test('the key may come from a file', () => {
    const keyOf = (file: string) =>
      resolveProfile({ ...env, DOCMILL_URL: local.url, DOCMILL_API_KEY_FILE: file }).apiKey;
    expect(keyOf(folder.write('key', 'dm_file\n'))).toBe('dm_file');
    expect(() => keyOf('/nowhere')).toThrow('DOCMILL_API_KEY_FILE cannot be read');
  });

  test('a stored key is not sent to another service', () => {
    store();
    expect(() => resolveProfile({ ...env, DOCMILL_URL: 'https://evil.example.com' })).toThrow('its key is not sent');
    expect(resolveProfile({ ...env, DOCMILL_URL: 'http://127.0.0.1:3000/' }).apiKey).toBe(local.apiKey);
  });

  test.each(['__proto__', 'constructor', 'missing'])('an unknown profile is an error: %s', (name) => {
    store();
    expect(() => resolveProfile(env, name)).toThrow('There is no profile');
  });

  test('the error says what to run if nothing is configured', () => {
    const hint = 'Run docmill login, or set DOCMILL_URL and DOCMILL_API_KEY_FILE.';
    expect(() => resolveProfile(env)).toThrow(new CliError(3, 'You are not logged in.', hint));
  });

  test('the error for a key that cannot be sent does not contain it', () => {
    const act = () => resolveProfile({ ...env, DOCMILL_URL: local.url, DOCMILL_API_KEY: 'dm secret\nvalue' });
    expect(act).toThrow(/^The API key is empty or has characters that no key has\.$/);
  });

  test.each(['ftp://example.com', 'https://ada:secret@example.com', 'example.com', ''])(
    '%s is not an address',
    (url) => {
      expect(() => parseServiceUrl(url)).toThrow(/^This is not the address of a service\.$/);
    },
  );
});
