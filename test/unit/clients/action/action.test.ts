import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findGithubProblems } from '../../../support/github/problems.ts';

const content = readFileSync(new URL('../../../../clients/action/action.yml', import.meta.url), 'utf8');
const action = parse(content) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmill-action-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the action follows GitHub's schema, which finds mistakes", () => {
  const mistakes = [content.replace('using: composite', 'using: magic'), content.replace('shell: bash', 'shel: bash')];
  const [problems, ...found] = findGithubProblems('action', [content, ...mistakes]);
  expect(problems).toEqual([]);
  for (const some of found) expect(some).not.toEqual([]);
});

/** Runs the lines of the last step with a program in the place of the command line, which writes down its words. */
function runLines(inputs: Readonly<Record<string, string>>, exitCode = 0) {
  const { run = '', env = {} } = action.runs.steps.find(({ id }) => id === 'test') ?? {};
  const variables = Object.entries(env).map(([name, value]) => {
    const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1] ?? '';
    return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
  });
  const programs = join(folder, 'checkout/node_modules/.bin');
  mkdirSync(programs, { recursive: true });
  writeFileSync(
    join(programs, 'tsx'),
    `#!/bin/bash\nprintf '%s\\n' "$@" > words\nprintf '%s' "$DOCMILL_API_KEY" > key\nexit ${exitCode}\n`,
  );
  chmodSync(join(programs, 'tsx'), 0o755);
  mkdirSync(join(folder, 'checkout/clients/action'), { recursive: true });
  // As the runner starts `shell: bash`.
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
  const own = {
    PATH: process.env.PATH,
    GITHUB_ACTION_PATH: join(folder, 'checkout/clients/action'),
    GITHUB_OUTPUT: join(folder, 'out'),
  };
  const { status } = spawnSync('bash', words, { cwd: folder, env: { ...Object.fromEntries(variables), ...own } });
  const written = readFileSync(join(folder, 'words'), 'utf8').split('\n').slice(0, -1);
  return { status, words: written.slice(written.indexOf('test')) };
}

test('its lines run the command with the inputs', () => {
  const { status, words } = runLines({ url: 'https://docmill.example.com', 'api-key': 'dm_secret' });
  expect(status).toBe(0);
  expect(words).toEqual([
    'test',
    '.',
    '--report',
    'docmill-results/report.html',
    '--junit',
    'docmill-results/junit.xml',
  ]);
  expect(readFileSync(join(folder, 'key'), 'utf8')).toBe('dm_secret');
  expect(readFileSync(join(folder, 'out'), 'utf8')).toBe(
    'report=docmill-results/report.html\njunit=docmill-results/junit.xml\n',
  );
});

test('an input is never run as a script, and the exit code is that of the command', () => {
  const filter = '$(touch injected) "; touch injected #';
  const { status, words } = runLines({ filter, schema: 'false', folder: 'my templates' }, 1);
  expect(status).toBe(1);
  expect(words.slice(0, 2)).toEqual(['test', 'my templates']);
  expect(words.slice(-2)).toEqual([`--filter=${filter}`, '--no-schema']);
  expect(execFileSync('ls', { cwd: folder }).toString()).not.toContain('injected');
});

test('only the step that runs the command has the key', () => {
  const withKey = action.runs.steps.filter((step) => JSON.stringify(step).includes('inputs.api-key'));
  expect(withKey.map(({ id }) => id)).toEqual(['test']);
});
