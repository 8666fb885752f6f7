import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const stack = inject('stack');
const execute = promisify(execFile);
const project = resolve('clients/python');
// Debian's, which has httpx and pytest; another python3 may come first in the path.
const python = '/usr/bin/python3';
const env = {
  PATH: process.env.PATH,
  PYTHONPATH: join(project, 'src'),
  PYTHONDONTWRITEBYTECODE: '1',
  DOCMILL_TEST_URL: stack.url,
  DOCMILL_TEST_OPERATOR: stack.operatorUrl,
};
const folder = mkdtempSync(join(tmpdir(), 'docmill-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the Python client', () => {
  const listed = execFileSync(python, ['-m', 'pytest', '--collect-only', '-q'], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  const names = listed.split('\n').filter((line) => line.includes('::'));
  const outcomes = new Map<string, string>();

  beforeAll(async () => {
    const report = join(folder, 'report.jsonl');
    writeFileSync(report, '');
    const run = execute(python, ['-m', 'pytest', '-q'], { cwd: project, env: { ...env, DOCMILL_TEST_REPORT: report } });
    // A failure is reported by its own test below.
    await run.catch(() => undefined);
    for (const line of readFileSync(report, 'utf8').split('\n').filter(Boolean)) {
      const { test: name, outcome, text } = JSON.parse(line) as { test: string; outcome: string; text: string };
      if (outcomes.get(name) === undefined || outcome !== 'passed') outcomes.set(name, `${outcome}\n${text}`.trim());
    }
  }, 900_000);

  test('has tests', () => {
    expect(names.length).toBeGreaterThan(150);
  });

  test.each(names)('%s', (name) => {
    expect(outcomes.get(name) ?? 'it did not run').toBe('passed');
  });
});

test('the types of the Python client hold under mypy --strict', async () => {
  const check = execute('/usr/bin/mypy', ['--cache-dir', join(folder, 'mypy')], {
    cwd: project,
    env: { PATH: env.PATH },
  });
  expect(
    await check.then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    ),
  ).toContain('Success: no issues found');
});

test('wheel and source package of the Python client are built and installed without a network', async () => {
  const source = join(folder, 'source');
  const built = join(folder, 'built');
  const virtual = join(folder, 'venv');
  cpSync(project, source, { recursive: true });
  await execute(python, ['-m', 'hatchling', 'build', '-d', built], { cwd: source, env: { PATH: env.PATH } });
  const [wheel, archive] = readdirSync(built).sort(
    (one, other) => Number(other.endsWith('.whl')) - Number(one.endsWith('.whl')),
  );
  expect([wheel, archive]).toEqual([
    expect.stringMatching(/^docmill-.*\.whl$/),
    expect.stringMatching(/^docmill-.*\.tar\.gz$/),
  ]);
  await execute(python, ['-m', 'venv', '--system-site-packages', virtual]);
  for (const file of [wheel, archive]) {
    const pip = ['-m', 'pip', 'install', '--no-index', '--no-deps', '--no-build-isolation', '--force-reinstall'];
    await execute(join(virtual, 'bin/python'), [...pip, join(built, file ?? '')], { cwd: folder });
    const program = [
      'import docmill, os, httpx',
      'folder = os.path.dirname(docmill.__file__)',
      'assert os.path.exists(os.path.join(folder, "py.typed")), folder',
      'client = docmill.Docmill("wrong")',
      'try: client.quotas.get()',
      'except docmill.Unauthorized as error: print(folder, docmill.__version__, error.status)',
    ].join('\n');
    const run = { cwd: folder, env: { PATH: env.PATH, DOCMILL_URL: stack.url } };
    const { stdout } = await execute(join(virtual, 'bin/python'), ['-c', program], run);
    expect(stdout).toMatch(new RegExp(`^${virtual}.* \\d+\\.\\d+\\.\\d+ 401\\n$`));
  }
});
