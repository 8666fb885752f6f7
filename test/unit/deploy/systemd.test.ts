import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drainSeconds } from './drain-time.ts';
import { plainSecrets, unknownVariables } from './known-variables.ts';

const folder = 'deploy/systemd';
const installed = '/opt/docmill';
const units = ['api', 'worker'] as const;
type Unit = (typeof units)[number];

/** The values of each setting, in order. Section names are not needed: no setting is in two sections. */
function settingsOf(unit: Unit): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, string[]>();
  for (const line of readFileSync(join(folder, `docmill-${unit}.service`), 'utf8').split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) settings.set(name, [...(settings.get(name) ?? []), value ?? '']);
  }
  return settings;
}

const oneOf = (unit: Unit, name: string): string => {
  const values = settingsOf(unit).get(name) ?? [];
  if (values.length !== 1) throw new Error(`${unit}: ${name} is set ${values.length} times`);
  return values[0] ?? '';
};

const toVariables = (assignments: readonly string[]): Record<string, string> =>
  Object.fromEntries(assignments.map((each) => [each.split('=', 1)[0] ?? '', each.slice(each.indexOf('=') + 1)]));

const environmentOf = (unit: Unit): Record<string, string> =>
  toVariables((settingsOf(unit).get('Environment') ?? []).flatMap((line) => line.split(' ')));

const sharedSettings = toVariables(
  readFileSync(join(folder, 'docmill.env'), 'utf8')
    .split('\n')
    .filter((line) => /^\w+=/.test(line)),
);

test('a process reads every variable of the units, and secrets come from files', () => {
  for (const variables of [sharedSettings, ...units.map(environmentOf)]) {
    const names = Object.keys(variables).filter((name) => name !== 'NODE_ENV');
    expect(names.length).toBeGreaterThan(0);
    expect(unknownVariables(names)).toEqual([]);
    expect(plainSecrets(names)).toEqual([]);
  }
});

test.each(units)('the %s sees exactly the secrets that its variables name, under their names', (unit) => {
  const credentials = (settingsOf(unit).get('LoadCredential') ?? []).map((line) => line.split(':'));
  const files = Object.entries(environmentOf(unit)).filter(([name]) => name.endsWith('_FILE'));
  expect(credentials.length).toBeGreaterThan(3);
  expect(files.map(([, value]) => value).sort()).toEqual(credentials.map(([id]) => `%d/${id}`).sort());
  for (const [name, value] of files) expect(value).toBe(`%d/${name.replace(/_FILE$/, '').toLowerCase()}`);
  for (const [id, path] of credentials) expect(path).toBe(`/etc/docmill/secrets/${id}`);
});

test.each(units)('systemd asks the %s alone to stop, and waits until it has', (unit) => {
  expect(oneOf(unit, 'KillMode')).toBe('mixed');
  const { NODE_ENV, ...variables } = environmentOf(unit);
  const settings = Object.fromEntries(Object.entries(variables).filter(([name]) => !name.endsWith('_FILE')));
  expect(Number(oneOf(unit, 'TimeoutStopSec'))).toBeGreaterThanOrEqual(drainSeconds(unit, settings));
  expect(NODE_ENV).toBe('production');
});

test.each(units)('the %s starts by a program of the repository', (unit) => {
  const [program = '', part] = oneOf(unit, 'ExecStart').split(' ');
  expect(program.startsWith(`${installed}/`)).toBe(true);
  expect(existsSync(program.slice(installed.length + 1))).toBe(true);
  expect(part).toBe(unit);
});

test('the worker may create the namespaces of LibreOffice, and the API none', () => {
  expect(oneOf('api', 'RestrictNamespaces')).toBe('yes');
  expect(oneOf('worker', 'RestrictNamespaces').split(' ')).toEqual([
    'cgroup',
    'ipc',
    'mnt',
    'net',
    'pid',
    'user',
    'uts',
  ]);
  // The kernel refuses a new /proc where parts of the present one are hidden.
  for (const name of ['ProtectKernelTunables', 'ProtectKernelLogs', 'ProtectProc', 'ProcSubset', 'ProtectHostname'])
    expect(settingsOf('worker').has(name), name).toBe(false);
});

const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!hasAnalyzer)('systemd knows every setting of the units', () => {
  const copies = mkdtempSync(join(tmpdir(), 'docmill-units-'));
  onTestFinished(() => rmSync(copies, { recursive: true }));
  const paths = units.map((unit) => {
    const path = join(copies, `docmill-${unit}.service`);
    // It checks that the program exists.
    const text = readFileSync(join(folder, `docmill-${unit}.service`), 'utf8').replaceAll(installed, process.cwd());
    writeFileSync(path, text);
    return path;
  });
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
  // It may also report other units of the machine.
  expect(stderr.split('\n').filter((line) => line.includes('docmill'))).toEqual([]);
  expect(status).toBe(0);
});

test('an operator command gets the settings and secrets of the installation', () => {
  const config = mkdtempSync(join(tmpdir(), 'docmill-config-'));
  onTestFinished(() => rmSync(config, { recursive: true }));
  mkdirSync(join(config, 'secrets'));
  writeFileSync(join(config, 'docmill.env'), readFileSync(join(folder, 'docmill.env')));
  writeFileSync(join(config, 'secrets/database_url'), 'postgresql://u:p@127.0.0.1/d\n');
  const run = (...command: string[]) =>
    spawnSync(join(folder, 'with-settings'), command, {
      env: { PATH: process.env.PATH, CONFIG_DIR: config },
      encoding: 'utf8',
    });
  const printed = run('sh', '-c', 'echo "$DATABASE_URL_FILE|$MAIL_FROM|$S3_BUCKET|$(pwd)"').stdout.trim();
  const path = join(config, 'secrets/database_url');
  expect(printed).toBe(`${path}|Docmill <documents@example.com>|docmill|${process.cwd()}`);
  expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining('with-settings') });
  rmSync(join(config, 'docmill.env'));
  expect(run('true')).toMatchObject({ status: 1, stderr: expect.stringContaining('as root') });
});
