import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { variableGroups } from '../../../src/shared/config/load-config.ts';
import { describeVariables } from '../../../src/shared/config/variable.ts';

/** Every variable that is not a secret can be set in each way to install the service, without changing its files. */
const variables = new Set(
  variableGroups
    .flatMap((group) => describeVariables(group.variables))
    .filter(({ isSecret }) => !isSecret)
    .map(({ name }) => name),
);

/** Variables that an installation sets itself, because they connect its own processes. */
const wiring = {
  compose: [
    'HOST',
    'METRICS_HOST',
    'METRICS_PORT',
    'OFFICE_JAIL',
    'PORT',
    'S3_BUCKET',
    'S3_ENDPOINT',
    'S3_REGION',
    'WORKER_QUEUES',
  ],
  kubernetes: ['DRAIN_DELAY_MS', 'OFFICE_JAIL', 'WORKER_QUEUES'],
};
const fixed = (names: Iterable<string>): string[] => [...new Set(names)].filter((name) => variables.has(name)).sort();

test('there are variables to set, secrets aside', () => {
  expect(variables.size).toBeGreaterThan(80);
  expect([...variables]).toEqual(expect.arrayContaining(['BRAND_NAME', 'PUBLIC_URL', 'MAIL_FROM', 'LOG_LEVEL']));
});

describe('Docker Compose', () => {
  interface Service {
    readonly build?: object;
    readonly env_file?: unknown;
    readonly environment?: Readonly<Record<string, string>>;
  }
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
  };
  const own = Object.entries(services).filter(([, { build }]) => build !== undefined);

  test.each(own)('%s reads the settings in .env, if there are any', (_, { env_file }) => {
    expect(env_file).toEqual([{ path: '.env', required: false }]);
  });

  test('no line of the file takes precedence over a setting, except for what connects its processes', () => {
    expect(fixed(own.flatMap(([, { environment = {} }]) => Object.keys(environment)))).toEqual(wiring.compose);
  });
});

describe('systemd', () => {
  test.each(['api', 'worker'])('the %s reads the settings, which take precedence over its unit', (part) => {
    const unit = readFileSync(`deploy/systemd/docmill-${part}.service`, 'utf8');
    expect(unit).toMatch(/^EnvironmentFile=\/etc\/docmill\/docmill\.env$/m);
  });
});

describe('Kubernetes', () => {
  const folder = 'deploy/kubernetes/base';
  interface Manifest {
    readonly kind: string;
    readonly spec?: { readonly template?: { readonly spec: { readonly containers: readonly Container[] } } };
  }
  interface Container {
    readonly envFrom?: unknown;
    readonly env?: readonly { readonly name: string }[];
  }
  const read = (file: string): Manifest =>
    parse(readFileSync(`${folder}/${file}`, 'utf8').split(/^---$/m)[0] ?? '') as Manifest;
  const containers = [
    'api',
    'every-process',
    'every-worker',
    ...['docx', 'pdf', 'batch', 'mail', 'webhook'].map((name) => `worker-${name}`),
  ]
    .map((name) => read(`${name}.yaml`))
    .flatMap(({ spec }) => spec?.template?.spec.containers ?? []);

  test('every process gets all settings of settings.env', () => {
    expect(read('every-process.yaml').spec?.template?.spec.containers[0]?.envFrom).toEqual([
      { configMapRef: { name: 'docmill' } },
    ]);
  });

  test('no manifest takes precedence over a setting, except for what connects the processes', () => {
    expect(containers).toHaveLength(8);
    expect(fixed(containers.flatMap(({ env = [] }) => env.map(({ name }) => name)))).toEqual(wiring.kubernetes);
  });
});
