import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { useFolder } from '../../../support/folder.ts';
import { findGithubProblems } from '../../../support/github/problems.ts';

const content = readFileSync(new URL('../../../../clients/action/action.yml', import.meta.url), 'utf8');
const action = parse(content) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};
interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const folder = useFolder();
beforeEach(folder.empty);

test("the action follows GitHub's schema", () => {
  const mistakes = [content.replace('using: composite', 'using: magic'), content.replace('shell: bash', 'shel: bash')];
  const [problems, ...found] = findGithubProblems('action', [content, ...mistakes]);
  expect(problems).toEqual([]);
  for (const some of found) expect(some).not.toEqual([]);
});

/** Runs the shell lines of the last step with a fake command line that records its arguments. */
function runLines(inputs: Readonly<Record<string, string>>, exitCode = 0) {
  const { run = '', env = {} } = action.runs.steps.find(({ id }) => id === 'test') ?? {};
  const variables = Object.entries(env).map(([name, value]) => {
    const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1] ?? '';
    return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
  });
  const script = `printf '%s\\n' "$@" > words\nprintf '%s' "$DOCMILL_API_KEY" > key\nexit ${exitCode}\n`;
  chmodSync(folder.write('checkout/node_modules/.bin/tsx', `#!/bin/bash\n${script}`), 0o755);
  folder.write('checkout/clients/action/action.yml', content);
  // The same options as GitHub's runner uses for `shell: bash`.
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
  const paths = { GITHUB_ACTION_PATH: folder.at('checkout/clients/action'), GITHUB_OUTPUT: folder.at('out') };
  const own = { ...Object.fromEntries(variables), PATH: process.env.PATH, ...paths };
  const { status } = spawnSync('bash', words, { cwd: folder.path, env: own });
  const written = folder.text('words').split('\n').slice(0, -1);
  return { status, words: written.slice(written.indexOf('test')) };
}

test('the step runs the command with the inputs', () => {
  const { status, words } = runLines({ url: 'https://docmill.example.com', 'api-key': 'dm_secret' });
  expect(status).toBe(0);
  const [report, junit] = ['docmill-results/report.html', 'docmill-results/junit.xml'];
  expect(words).toEqual(['test', '.', '--report', report, '--junit', junit]);
  expect(folder.text('key')).toBe('dm_secret');
  expect(folder.text('out')).toBe(`report=${report}\njunit=${junit}\n`);
});

test("an input never runs as a script, and the exit code is the command's", () => {
  const filter = '$(touch injected) "; touch injected #';
  const { status, words } = runLines({ filter, schema: 'false', folder: 'my templates' }, 1);
  expect(status).toBe(1);
  expect(words.slice(0, 2)).toEqual(['test', 'my templates']);
  expect(words.slice(-2)).toEqual([`--filter=${filter}`, '--no-schema']);
  expect(folder.list()).not.toContain('injected');
});

test('only the step that runs the command gets the key', () => {
  const withKey = action.runs.steps.filter((step) => JSON.stringify(step).includes('inputs.api-key'));
  expect(withKey.map(({ id }) => id)).toEqual(['test']);
});
