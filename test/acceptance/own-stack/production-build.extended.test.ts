import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { findFreePorts } from '../../../tools/local/ports.ts';
import { buildContext, copiedPaths, readStages, type Stage } from '../../support/deploy/dockerfile.ts';
import { patientLimits } from '../../support/services/local-stack.ts';

const stack = inject('stack');
const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'docmill-production-'));
const [building, running] = [join(folder, 'building'), join(folder, 'running')];
const stage = (wanted: string): Stage => readStages().find(({ name }) => name === wanted) ?? expect.fail(wanted);
/** The npm commands of a stage of the Dockerfile. */
const npmCommands = (wanted: string): readonly string[] =>
  stage(wanted)
    .steps.filter(({ keyword, text }) => keyword === 'RUN' && text.startsWith('npm '))
    .map(({ text }) => text);
const copyFiles = (wanted: string, target: string): void => {
  const paths = copiedPaths(stage(wanted));
  const files = buildContext().filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)));
  for (const file of files) cpSync(file, join(target, file), { recursive: true });
};

const runNpm = async (wanted: string, cwd: string): Promise<void> => {
  for (const command of npmCommands(wanted)) await execute('bash', ['-euc', command], { cwd });
};

beforeAll(async () => {
  copyFiles('build', building);
  for (const part of ['dependencies', 'runtime']) copyFiles(part, running);
  await Promise.all([runNpm('build', building), runNpm('dependencies', running)]);
  cpSync(join(building, 'dist'), join(running, 'dist'), { recursive: true });
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what the Dockerfile copies and installs is enough to build the service, to start it and to generate a PDF', async () => {
  const [port = '', apiMetrics = '', workerMetrics = ''] = (await findFreePorts(3)).map(String);
  // Queues of their own, because documents of other files belong to the worker of the common stack.
  const queues = { QUEUE_PREFIX: 'production-build', WORKER_QUEUES: 'inspect,docx,pdf' };
  const api = start('api', { PORT: port, METRICS_PORT: apiMetrics, ...queues });
  const worker = start('worker', { METRICS_PORT: workerMetrics, ...queues });
  const ended = Promise.all([once(api, 'exit'), once(worker, 'exit')]);
  try {
    for (const at of [port, workerMetrics])
      await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${at}/readyz`)).status).toBe(200), {
        timeout: 240_000,
        interval: 200,
      });
    const env = { ...process.env, DOCMILL_API_KEY: stack.apiKey };
    const { stdout } = await execute('deploy/smoke', [`http://127.0.0.1:${port}`], { env });
    expect(stdout).toContain('a pdf file of ');
    for (const page of ['guide/', 'console/'])
      expect((await fetch(`http://127.0.0.1:${port}/${page}`)).status, page).toBe(200);
  } finally {
    api.kill('SIGTERM');
    worker.kill('SIGTERM');
  }
  expect(await ended).toEqual([
    [0, null],
    [0, null],
  ]);
});

function start(part: 'api' | 'worker', env: Readonly<Record<string, string>>): ChildProcess {
  const { PATH } = process.env;
  const variables = { PATH, ...patientLimits, ...stack.env, NODE_ENV: 'production', HOST: '127.0.0.1', ...env };
  return spawn(resolve(running, 'scripts/start'), [part], { cwd: running, env: variables, stdio: 'ignore' });
}
