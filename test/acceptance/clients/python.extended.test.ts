import { execFile, execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { useFolder } from '../../support/folder.ts';

const stack = inject('stack');
const execute = promisify(execFile);
const project = resolve('clients/python');
// The Python of Debian has httpx and pytest; another python3 may come first in the path.
const python = '/usr/bin/python3';
const env = {
  PATH: process.env.PATH,
  PYTHONPATH: join(project, 'src'),
  PYTHONDONTWRITEBYTECODE: '1',
  DOCMILL_TEST_URL: stack.url,
  DOCMILL_TEST_OPERATOR: stack.operatorUrl,
};
const folder = useFolder();

describe('the Python client', () => {
  const collect = ['-m', 'pytest', '--collect-only', '-q'];
  const listed = execFileSync(python, collect, { cwd: project, env, encoding: 'utf8' });
  const names = listed.split('\n').filter((line) => line.includes('::'));
  const outcomes = new Map<string, string>();

  beforeAll(async () => {
    const report = folder.write('report.jsonl', '');
    const run = execute(python, ['-m', 'pytest', '-q'], { cwd: project, env: { ...env, DOCMILL_TEST_REPORT: report } });
    // The test of each name below reports its failure.
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

test('the Python client passes mypy --strict', async () => {
  const words = ['--cache-dir', folder.at('mypy')];
  const check = execute('/usr/bin/mypy', words, { cwd: project, env: { PATH: env.PATH } });
  const { stdout } = await check.catch((error: { readonly stdout: string }) => error);
  expect(stdout).toContain('Success: no issues found');
});

test('wheel and source package of the Python client are built and installed without a network', async () => {
  const [source, virtual] = [folder.at('source'), folder.at('venv')];
  cpSync(project, source, { recursive: true });
  await execute(python, ['-m', 'hatchling', 'build', '-d', folder.at('built')], {
    cwd: source,
    env: { PATH: env.PATH },
  });
  const built = folder.list('built');
  const kinds = [/^docmill-.*\.whl$/, /^docmill-.*\.tar\.gz$/];
  expect(kinds.map((kind) => built.filter((name) => kind.test(name)).length)).toEqual([1, 1]);
  expect(built).toHaveLength(2);
  await execute(python, ['-m', 'venv', '--system-site-packages', virtual]);
  for (const file of built) {
    const pip = ['-m', 'pip', 'install', '--no-index', '--no-deps', '--no-build-isolation', '--force-reinstall'];
    await execute(join(virtual, 'bin/python'), [...pip, folder.at(`built/${file}`)], { cwd: folder.path });
    const program = [
      'import docmill, os, httpx',
      'folder = os.path.dirname(docmill.__file__)',
      'assert os.path.exists(os.path.join(folder, "py.typed")), folder',
      'client = docmill.Docmill("wrong")',
      'try: client.account.quotas()',
      'except docmill.AuthenticationError as error: print(folder, docmill.__version__, error.status)',
    ].join('\n');
    const run = { cwd: folder.path, env: { PATH: env.PATH, DOCMILL_URL: stack.url } };
    const { stdout } = await execute(join(virtual, 'bin/python'), ['-c', program], run);
    expect(stdout).toMatch(new RegExp(`^${virtual}.* \\d+\\.\\d+\\.\\d+ 401\\n$`));
  }
});
