import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { useService } from '../../support/client/service-under-test.ts';
import { buildZip } from '../../support/documents/docx-builder.ts';
import { useFolder } from '../../support/folder.ts';
import { startRegistry } from './local-registry.ts';
import { cliEnv, runCli } from './run-cli.ts';
import { sampleCase } from './sample-project.ts';

const { newClient, url } = await useService(inject('stack'));
const folder = useFolder();
const [checkout, project] = [folder.at('checkout'), folder.at('project')];
let registry: Awaited<ReturnType<typeof startRegistry>>;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => void registry.server.close());

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[];
  };
}

/** Checks out this repository into a new folder, as a runner does. */
async function checkOut(): Promise<void> {
  mkdirSync(checkout, { recursive: true });
  const lines =
    'git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory="$0"';
  expect(await runBash(lines, process.cwd(), {}, [checkout])).toMatchObject({ exitCode: 0 });
  // The registry packs the installed packages anew, so their archives have other bytes.
  const lockFile = join(checkout, 'package-lock.json');
  const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, { integrity?: string }> };
  for (const entry of Object.values(lock.packages)) delete entry.integrity;
  writeFileSync(lockFile, JSON.stringify(lock));
}

/** Runs bash with the options of the runner's `shell: bash`. */
async function runBash(lines: string, cwd: string, env: NodeJS.ProcessEnv, words: readonly string[] = []) {
  const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', lines, ...words];
  const own = { cwd, env: { PATH: process.env.PATH, HOME: folder.path, ...env }, maxBuffer: 64 * 1024 * 1024 };
  const run = promisify(execFile)('bash', options, own);
  return await run.then(
    ({ stdout, stderr }) => ({ exitCode: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ exitCode: code as number, output: `${stdout}${stderr}` }),
  );
}

/** Runs the shell steps one after the other, each with its variables, until one fails. */
async function runAction(inputs: Readonly<Record<string, string>>) {
  const path = join(checkout, 'clients/action');
  const action = parse(readFileSync(join(path, 'action.yml'), 'utf8')) as Action;
  const runner = {
    GITHUB_ACTION_PATH: path,
    GITHUB_OUTPUT: folder.at('output'),
    npm_config_registry: registry.url,
    npm_config_cache: folder.at('cache'),
  };
  let last = { exitCode: -1, output: '' };
  for (const { run, env = {} } of action.runs.steps) {
    if (run === undefined) continue;
    const variables = Object.entries(env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1] ?? '';
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
    });
    last = await runBash(run, project, { ...runner, ...Object.fromEntries(variables) });
    if (last.exitCode !== 0) break;
  }
  return last;
}

test('the steps of the action, from a plain checkout, test the templates of another project', async () => {
  const client = await newClient();
  const { parts, data, compression } = sampleCase();
  folder.write('project/docmill.json', '{}');
  folder.write('project/templates/letter.docx', buildZip(parts, compression));
  folder.write('project/cases/letter/one.json', data);
  const env = cliEnv(folder.path, { url, apiKey: client.apiKey });
  const updated = await runCli('test . --no-schema --update', { cwd: project, env });
  expect(updated, updated.stderr).toMatchObject({ exitCode: 0 });
  await checkOut();

  const inputs = { url, 'api-key': client.apiKey };
  expect(await runAction(inputs)).toMatchObject({ exitCode: 0, output: expect.stringContaining('1 passed') as string });
  expect(folder.text('project/docmill-results/junit.xml')).toContain('<testsuite');
  expect(folder.text('output')).toContain('report=docmill-results/report.html\n');
});
