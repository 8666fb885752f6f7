import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ConfigError,
  loadAdminConfig,
  loadApiConfig,
  loadWorkerConfig,
  variableGroups,
} from '../../../../src/shared/config/load-config.ts';
import { describeVariables } from '../../../../src/shared/config/variable.ts';

const secrets = {
  DATABASE_URL: 'postgresql://u:hidden-password@127.0.0.1/d',
  REDIS_URL: 'redis://:hidden-password@127.0.0.1:6379',
  S3_ACCESS_KEY_ID: 'hidden-id',
  S3_SECRET_ACCESS_KEY: 'hidden-secret',
  SMTP_URL: 'smtp://u:hidden-password@127.0.0.1:25',
};
const S3_ENDPOINT = 'http://127.0.0.1:9000';

describe('secrets in files', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docmill-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const errorOf = (environment: Readonly<Record<string, string>>): string => {
    try {
      loadAdminConfig(environment);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return error instanceof Error ? error.message : '';
    }
    return 'no error';
  };

  it('every secret can come from the file that <NAME>_FILE names', () => {
    const files = Object.fromEntries(
      Object.entries(secrets).map(([name, value]) => [`${name}_FILE`, write(name, `${value}\n`)]),
    );
    const config = loadWorkerConfig({ ...files, S3_ENDPOINT });
    for (const [name, value] of Object.entries(secrets)) expect(config).toHaveProperty(name, value);
  });

  it('every variable that holds a secret says so', () => {
    const marked = variableGroups.flatMap(({ variables }) =>
      describeVariables(variables).flatMap(({ name, isSecret }) => (isSecret ? [name] : [])),
    );
    expect(marked).toEqual(
      expect.arrayContaining([...Object.keys(secrets), 'WEBHOOK_SECRET_KEY', 'RECEIPT_SIGNING_KEY']),
    );
    expect(marked).not.toContain('PORT');
  });

  it.each([
    ['no line end', 'x'],
    ['a line end', 'x\n'],
    ['a line end of Windows', 'x\r\n'],
    ['a byte order mark', '\ufeffx\n'],
  ])('a file with %s has its text as value', (_, content) => {
    const DATABASE_URL_FILE = write('ends', content.replace('x', secrets.DATABASE_URL));
    expect(loadAdminConfig({ DATABASE_URL_FILE }).DATABASE_URL).toBe(secrets.DATABASE_URL);
  });

  it('line breaks within a value stay, as in a PEM key', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----';
    const config = loadApiConfig({ ...secrets, S3_ENDPOINT, RECEIPT_SIGNING_KEY_FILE: write('pem', `${pem}\n`) });
    expect(config.RECEIPT_SIGNING_KEY).toBe(pem);
  });

  it('a file is read through symbolic links, as Kubernetes mounts secrets', () => {
    mkdirSync(join(folder, '..data'));
    writeFileSync(join(folder, '..data', 'url'), secrets.DATABASE_URL);
    symlinkSync(join('..data', 'url'), join(folder, 'url'));
    expect(loadAdminConfig({ DATABASE_URL_FILE: join(folder, 'url') }).DATABASE_URL).toBe(secrets.DATABASE_URL);
  });

  it('an empty variable counts as not set, both the value and the file', () => {
    const DATABASE_URL_FILE = write('beside', secrets.DATABASE_URL);
    expect(loadAdminConfig({ DATABASE_URL: '', DATABASE_URL_FILE }).DATABASE_URL).toBe(secrets.DATABASE_URL);
    const { DATABASE_URL } = secrets;
    expect(loadAdminConfig({ DATABASE_URL, DATABASE_URL_FILE: '' }).DATABASE_URL).toBe(DATABASE_URL);
  });

  it('a value and a file at the same time are an error', () => {
    const error = errorOf({ DATABASE_URL: secrets.DATABASE_URL, DATABASE_URL_FILE: write('both', 'hidden') });
    expect(error).toMatch(/DATABASE_URL and DATABASE_URL_FILE are both set: unset one/);
    expect(error).not.toContain('hidden');
  });

  it.each([
    ['is missing', () => join(folder, 'nowhere'), /cannot be read \(ENOENT\)/],
    ['is a folder', () => folder, /is not a regular file/],
    ['is a device', () => '/dev/zero', /is not a regular file/],
    ['is empty', () => write('empty', '\n'), /is empty/],
    ['is too large', () => write('large', 'hidden'.repeat(200_000)), /is larger than 1048576 bytes/],
    ['is binary', () => write('binary', Uint8Array.of(0xff, 0xfe, 0x68)), /is not text in UTF-8/],
    ['has a zero byte', () => write('zero', 'hidden\0'), /is not text in UTF-8/],
  ])('the error for a file that %s names the variable and the path', (_, make, problem) => {
    const path = make();
    const error = errorOf({ DATABASE_URL_FILE: path });
    expect(error).toMatch(problem);
    expect(error).toContain(`DATABASE_URL_FILE: ${path}`);
    expect(error).not.toContain('hidden');
  });

  it.skipIf(process.getuid?.() === 0)('a file without permission is an error', () => {
    const path = write('locked', 'hidden');
    chmodSync(path, 0);
    expect(errorOf({ DATABASE_URL_FILE: path })).toMatch(/cannot be read \(EACCES\)/);
  });

  it('the error for an invalid value in a file names the file but not the value', () => {
    const path = write('invalid', 'mysql://hidden@host');
    const error = errorOf({ DATABASE_URL_FILE: path });
    expect(error).toContain(`DATABASE_URL (from ${path}): must be a URL starting with postgres://`);
    expect(error).not.toContain('hidden');
  });

  it('reports every problem at once', () => {
    const load = () => loadApiConfig({ ...secrets, DATABASE_URL: '', DATABASE_URL_FILE: folder, PORT: 'many' });
    expect(load).toThrow(/DATABASE_URL_FILE: .*S3_ENDPOINT: is not set.*PORT/);
    expect(load).not.toThrow(/DATABASE_URL: is not set/);
  });

  it('other variables cannot be read from a file', () => {
    const config = loadApiConfig({ ...secrets, S3_ENDPOINT, PORT_FILE: join(folder, 'nowhere') });
    expect(config.PORT).toBe(3000);
  });
});
