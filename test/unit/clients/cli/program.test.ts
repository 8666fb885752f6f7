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
