import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { loadApiConfig, loadWorkerConfig } from '../../../src/shared/config/load-config.ts';
import { useFolders } from '../../support/folder.ts';

const newFolder = useFolders();
let folder = '';
beforeEach(() => {
  folder = join(newFolder(), 'made');
});

const run = (args: readonly string[], input = '') =>
  spawnSync('deploy/make-secrets', args, { env: { ...process.env, SECRETS_DIR: folder }, input, encoding: 'utf8' });
const read = (name: string): string => readFileSync(join(folder, name), 'utf8').trim();
const readAll = (): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

test('processes start with the generated secrets', () => {
  expect(run(['--smtp-url', 'smtps://user:pass@mail.example.com']).status).toBe(0);
  const others = { S3_ENDPOINT: 'http://minio:9000', S3_ACCESS_KEY_ID: 'docmill' };
  const file = (name: string): string => join(folder, name.toLowerCase());
  const names = ['DATABASE_URL', 'REDIS_URL', 'S3_SECRET_ACCESS_KEY', 'WEBHOOK_SECRET_KEY'];
  const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, file(name)]));
  const api = loadApiConfig({ ...others, ...files, RECEIPT_SIGNING_KEY_FILE: file('receipt_signing_key') });
  const worker = loadWorkerConfig({ ...others, ...files, SMTP_URL_FILE: file('smtp_url') });
  expect(worker.SMTP_URL).toBe('smtps://user:pass@mail.example.com');
  expect(new URL(api.DATABASE_URL).password).toBe(read('postgres_password'));
  expect(new URL(api.REDIS_URL).password).toBe(read('redis_password'));
  expect(read('redis_conf')).toBe(`requirepass ${read('redis_password')}`);
  const key = createPrivateKey({
    key: Buffer.from(read('receipt_signing_key'), 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  const text = Buffer.from('receipt');
  expect(key.asymmetricKeyType).toBe('ed25519');
  expect(verify(null, text, createPublicKey(key), sign(null, text, key))).toBe(true);
});

test('passwords differ and have 192 bits, and only the owner may open the folder', () => {
  run(['--mail-catcher']);
  const passwords = readdirSync(folder).filter((name) => name.endsWith('password') || name === 's3_secret_access_key');
  expect(passwords).toHaveLength(5);
  for (const name of passwords) expect(read(name)).toMatch(/^[0-9a-f]{48}$/);
  expect(new Set(passwords.map(read)).size).toBe(5);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  // Containers read the files under user ids of their own.
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o444);
});

test('a second run creates only what is missing', () => {
  run(['--mail-catcher']);
  const before = readAll();
  rmSync(join(folder, 'redis_url'));
  // A run that was killed while writing leaves this file behind.
  writeFileSync(join(folder, '.redis_url.new'), 'half');
  expect(run([]).status).toBe(0);
  expect(readAll()).toEqual(before);
});

test('the operator names the mail server, and there is no default', () => {
  expect(run([])).toMatchObject({ status: 2, stderr: expect.stringContaining('--smtp-url') });
  expect(run(['--smtp-url', 'mail.example.com'])).toMatchObject({ status: 1, stderr: expect.stringMatching(/smtps:/) });
  expect(run(['--smtp-url', '-'], 'smtp://mail.example.com\n').status).toBe(0);
  expect(read('smtp_url')).toBe('smtp://mail.example.com');
  expect(run(['--mail-catcher'])).toMatchObject({ status: 1, stderr: expect.stringContaining('delete it') });
  expect(read('smtp_url')).toBe('smtp://mail.example.com');
});

test('no secret is printed', () => {
  const { stdout, stderr } = run(['--smtp-url', 'smtp://user:hidden@mail.example.com']);
  for (const value of Object.values(readAll())) expect(stdout + stderr).not.toContain(value.trim());
});
