import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runInProcess } from './run-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'docmill-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInProcess(words, { XDG_CONFIG_HOME: folder, ...env });

describe('exit codes', () => {
  test('help and version go to standard output', async () => {
    expect(await run(['--version'])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(await run(['help', 'login'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('--key-stdin') });
    expect(await run(['--help'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Exit codes:') });
  });

  test.each([[['nonsense']], [['whoami', '--nonsense']], [['completion', 'tcsh']], [['whoami', 'too', 'many']], [[]]])(
    '%j is 2, with a message on standard error',
    async (words) => {
      expect(await run(words)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(/\S/) });
    },
  );

  test.each([
    [['help', 'template'], "unknown command 'template'", 'Did you mean templates?'],
    [['help', 'templates', 'pussh'], "unknown command 'pussh'", 'Did you mean push?'],
    [['templates', 'help', 'pussh'], "unknown command 'pussh'", 'Did you mean push?'],
    [['help', 'zzzz'], "unknown command 'zzzz'", 'add --help for help'],
    [['help', 'whoami', 'zzzz'], "'docmill whoami' has no command 'zzzz'", 'add --help for help'],
  ])('%j is 2, with a suggestion instead of the whole help', async (words, message, hint) => {
    const { exitCode, stdout, stderr } = await run(words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr.split('\n').length).toBeLessThan(6);
  });

  test('help of a command below another one', async () => {
    for (const words of [
      ['help', 'templates', 'push'],
      ['templates', 'help', 'push'],
    ])
      expect(await run(words)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('--strict-schema') });
    const whole = await run(['help']);
    expect(whole).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Exit codes:') });
    expect(whole.stdout).toContain('help [command...]');
  });

  test('without a key it is 3, and the message says what to run', async () => {
    const { exitCode, stderr } = await run(['whoami']);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('Run docmill login');
  });

  test('with --json an error is a JSON document', async () => {
    const { stdout, stderr } = await run(['whoami', '--json']);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toEqual({
      error: {
        exitCode: 3,
        message: 'You are not logged in.',
        hint: 'Run docmill login, or set DOCMILL_URL and DOCMILL_API_KEY_FILE.',
      },
    });
  });

  test('login without a terminal asks for nothing', async () => {
    expect(await run(['login'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--key-stdin') });
  });

  test('a damaged file of profiles is not printed', async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const file = join(home, 'docmill');
    writeFileSync(file, 'not a folder');
    const { exitCode, stderr } = await run(['whoami'], { XDG_CONFIG_HOME: home });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('ENOTDIR');
  });
});
