import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  loadAdminConfig,
  loadApiConfig,
  loadWorkerConfig,
  variableGroups,
} from '../../../../src/shared/config/load-config.ts';
import { describeVariables } from '../../../../src/shared/config/variable.ts';
import { required } from './required-variables.ts';

describe('configuration', () => {
  it('errors name every invalid variable and never its value', () => {
    const load = () =>
      loadApiConfig({ ...required, DATABASE_URL: 'mysql://secret@host', PORT: 'many', S3_ENDPOINT: '' });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/DATABASE_URL: must be a URL starting with postgres:\/\/.*S3_ENDPOINT: is not set.*PORT/s);
    expect(load).not.toThrow(/secret/);
  });

  it('requires only the database for the operator command', () => {
    expect(loadAdminConfig({ DATABASE_URL: required.DATABASE_URL }).DATABASE_URL).toBe(required.DATABASE_URL);
  });

  it('accepts several Redis servers only as nodes of a cluster', () => {
    const REDIS_URL = 'redis://one:7000,redis://two:7000';
    expect(loadApiConfig({ ...required, REDIS_URL, REDIS_CLUSTER: 'true' }).REDIS_URL).toBe(REDIS_URL);
    expect(() => loadWorkerConfig({ ...required, REDIS_URL })).toThrow(/REDIS_URL: names several servers/);
    expect(() => loadApiConfig({ ...required, REDIS_URL: 'redis://one,http://two' })).toThrow(/REDIS_URL/);
  });

  it('refuses times and numbers beyond what timers accept', () => {
    for (const name of ['RENDER_TIMEOUT_MS', 'DATABASE_TIMEOUT_MS', 'SWEEP_INTERVAL_MS', 'JOB_LOCK_MS']) {
      expect(() => loadWorkerConfig({ ...required, [name]: '2147483648' })).toThrow(name);
      expect(loadWorkerConfig({ ...required, [name]: '2147483647' })).toHaveProperty(name, 2_147_483_647);
    }
  });

  it('reads queues from a list, and refuses an unknown one', () => {
    expect(loadWorkerConfig({ ...required, WORKER_QUEUES: 'docx, mail' }).WORKER_QUEUES).toEqual(['docx', 'mail']);
    expect(() => loadWorkerConfig({ ...required, WORKER_QUEUES: 'docx,fax' })).toThrow(/WORKER_QUEUES/);
  });

  it('reads several sealing keys, separated by commas or line breaks, and refuses invalid ones', () => {
    const [one, two] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
    const read = (WEBHOOK_SECRET_KEY: string) => loadApiConfig({ ...required, WEBHOOK_SECRET_KEY }).WEBHOOK_SECRET_KEY;
    expect(read(`${one}, ${two}`)).toEqual([one, two]);
    expect(read(`${one}\r\n${two}`)).toEqual([one, two]);
    expect(loadApiConfig(required).WEBHOOK_SECRET_KEY).toEqual([]);
    expect(() => read(`${one},short`)).toThrow(/WEBHOOK_SECRET_KEY\S*: must be 32 bytes in base64/);
    expect(() => read(`${one},short`)).not.toThrow(/short/);
  });

  it('requires a mail server only for the mail queue', () => {
    const { SMTP_URL: _, ...others } = required;
    expect(loadWorkerConfig({ ...others, WORKER_QUEUES: 'docx,pdf' }).SMTP_URL).toBeUndefined();
    expect(() => loadWorkerConfig({ ...others, WORKER_QUEUES: 'docx,mail' })).toThrow(/SMTP_URL: is not set/);
    expect(() => loadWorkerConfig(others)).toThrow(/SMTP_URL: is not set/);
  });

  it('must have certificates and keys in PEM, and the error shows none of them', () => {
    const load = (name: string, value: string) => () =>
      loadWorkerConfig({ ...required, REDIS_URL: 'rediss://127.0.0.1', [name]: value });
    expect(load('REDIS_CA', 'hidden')).toThrow(/REDIS_CA: must be certificates in PEM/);
    const broken = '-----BEGIN CERTIFICATE-----\nhidden\n-----END CERTIFICATE-----';
    expect(load('WEBHOOK_CA', broken)).toThrow(/WEBHOOK_CA: must be certificates in PEM/);
    expect(load('WEBHOOK_CA', broken)).not.toThrow(/hidden/);
    expect(load('WEBHOOK_CA', rootCertificates.slice(0, 3).join('\n'))).not.toThrow();
    expect(load('REDIS_KEY', 'hidden')).toThrow(/REDIS_KEY: must be a private key in PEM/);
  });

  it('must not have certificates for an unencrypted connection', () => {
    const [ca = ''] = rootCertificates;
    const load = (values: Readonly<Record<string, string>>) => () => loadWorkerConfig({ ...required, ...values });
    expect(load({ REDIS_CA: ca })).toThrow(/REDIS_CA: requires TLS, and REDIS_URL starts with redis:/);
    expect(load({ REDIS_CA: ca, REDIS_URL: 'rediss://127.0.0.1' })).not.toThrow();
    expect(load({ REDIS_CERT: ca, REDIS_URL: 'rediss://127.0.0.1' })).toThrow(/REDIS_CERT: requires REDIS_KEY/);
    expect(load({ S3_CA: ca })).toThrow(/S3_CA: requires TLS/);
    expect(load({ S3_CA: ca, S3_ENDPOINT: 'https://127.0.0.1' })).not.toThrow();
    expect(load({ SMTP_CA: ca })).toThrow(/SMTP_CA: requires TLS/);
    expect(load({ SMTP_CA: ca, SMTP_URL: 'smtps://127.0.0.1' })).not.toThrow();
    expect(load({ SMTP_CA: ca, SMTP_URL: 'smtp://127.0.0.1?name=a&tls=required' })).not.toThrow();
  });

  it.each([
    ['?sslmode=prefer', /sslmode must be disable, require, verify-ca, verify-full or no-verify/],
    ['?sslmode=allow', /sslmode must be/],
    ['?sslmode=constructor', /sslmode must be/],
    ['?sslmode=verify-ca', /sslmode=verify-ca requires sslrootcert/],
    ['?sslmode=verify-full&sslrootcert=/nowhere/ca.pem', /sslrootcert: \/nowhere\/ca.pem cannot be read \(ENOENT\)/],
    ['?sslcert=/nowhere/client.pem', /sslcert and sslkey require each other/],
    ['?sslmode=disable&sslrootcert=/nowhere/ca.pem', /sslmode=disable allows no certificates/],
  ])('refuses DATABASE_URL with %s, and does not show its password', (query, problem) => {
    const load = () => loadAdminConfig({ DATABASE_URL: `postgresql://u:hidden@127.0.0.1/d${query}` });
    expect(load).toThrow(problem);
    expect(load).not.toThrow(/hidden/);
  });

  it('describes every variable with a unit, a default and a sentence', () => {
    const described = variableGroups.flatMap(({ variables }) => describeVariables(variables));
    for (const { name, unit, description, defaultText } of described) {
      expect(unit, name).toMatch(/./);
      expect(description, name).toMatch(/^[^\n]+\.$/);
      expect(defaultText, name).toMatch(name in required ? /^required/ : /./);
    }
  });

  it('documents the actual default of each variable', () => {
    const rows = variableGroups.flatMap(({ variables }) =>
      describeVariables(variables).map(({ name, defaultText }): readonly [string, string] => [name, defaultText]),
    );
    expect(rows.length).toBeGreaterThan(70);
    const defaults: Record<string, unknown> = { ...loadWorkerConfig(required), ...loadApiConfig(required) };
    const dependsOnMachine = new Set([
      'BATCH_OFFICE_SLOTS',
      'BATCH_RENDER_PROCESSES',
      'OFFICE_SLOTS',
      'OFFICE_TEMP_DIR',
      'RENDER_PROCESSES',
      'WORKER_QUEUES',
    ]);
    for (const [name, text] of rows) {
      if (name in required) expect(text, name).toMatch(/^required/);
      else if (defaults[name] !== undefined && !dependsOnMachine.has(name))
        expect(text, name).toBe(String(defaults[name]) || 'none');
    }
  });
});
