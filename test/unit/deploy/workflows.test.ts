import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readStages } from '../../support/deploy/dockerfile.ts';
import { useFolders } from '../../support/folder.ts';
import { findGithubProblems } from '../../support/github/problems.ts';

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number | string;
  readonly strategy?: { readonly matrix: { readonly include: readonly Readonly<Record<string, string | number>>[] } };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folderOfAll = '.github/workflows';
const files = readdirSync(folderOfAll).sort();
const texts = files.map((file) => readFileSync(join(folderOfAll, file), 'utf8'));
const workflows = new Map(files.map((file, index) => [file, parse(texts[index] ?? '') as Workflow]));
const jobs = [...workflows].flatMap(([file, workflow]) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ place: `${file}: ${name}`, file, name, job })),
);
const job = (file: string, name: string): Job => workflows.get(file)?.jobs[name] ?? expect.fail(`${file}: ${name}`);
/** The shell lines of each step, including those in a matrix. */
const commands = jobs.flatMap(({ place, job: { steps = [], strategy } }) =>
  steps.flatMap(({ run = '' }) =>
    /^\$\{\{ matrix\.run \}\}$/.test(run)
      ? (strategy?.matrix.include ?? []).map((row) => ({ place, run: String(row.run) }))
      : [{ place, run }],
  ),
);

const newFolder = useFolders();
let folder = '';
beforeEach(() => {
  folder = newFolder();
});

test("every workflow follows GitHub's schema", () => {
  const found = findGithubProblems('workflow', texts);
  expect(files.map((file, index) => [file, found[index]])).toEqual(files.map((file) => [file, []]));
});

test('a job waits only for jobs in its own workflow', () => {
  for (const {
    place,
    file,
    job: { needs = [] },
  } of jobs)
    for (const name of [needs].flat()) expect(Object.keys(workflows.get(file)?.jobs ?? {}), place).toContain(name);
});

test('only the jobs that publish may write, and CI publishes nothing', () => {
  const writing = jobs.filter(({ job: { permissions = {} } }) => Object.values(permissions).includes('write'));
  expect(Object.fromEntries(writing.map(({ place, job: { permissions } }) => [place, permissions]))).toEqual({
    'release.yml: build': { contents: 'read', packages: 'write' },
    'release.yml: npm': { contents: 'read', 'id-token': 'write' },
    'release.yml: pypi': { contents: 'read', 'id-token': 'write', attestations: 'write' },
    'release.yml: images': { contents: 'read', packages: 'write' },
    'release.yml: github': { contents: 'write' },
  });
  // A called workflow gets its caller's permissions.
  for (const file of files.filter((name) => name !== 'build-release.yml'))
    expect(workflows.get(file)?.permissions, file).toEqual({ contents: 'read' });
  expect(job('ci.yml', 'release')).toMatchObject({
    uses: './.github/workflows/build-release.yml',
    with: { push: false },
  });
  expect(job('release.yml', 'build')).toMatchObject({
    uses: './.github/workflows/build-release.yml',
    with: { push: true },
  });
});

test("every job has a time limit, and uses only GitHub's own actions", () => {
  for (const {
    place,
    job: { uses, steps = [], 'timeout-minutes': minutes },
  } of jobs) {
    if (uses === undefined) expect(minutes, place).toBeDefined();
    for (const step of steps.filter(({ uses: action }) => action !== undefined))
      expect(step.uses, place).toMatch(/^actions\/[a-z-]+@v\d+$/);
  }
});

test('no text from a request or a branch becomes part of a script, and every script is valid bash', () => {
  for (const { place, run } of commands) {
    expect(run, place).not.toContain('${{');
    const { status, stderr } = spawnSync('bash', ['-n', '-c', run], { encoding: 'utf8' });
    expect({ place, status, stderr }).toEqual({ place, status: 0, stderr: '' });
  }
});

test('programs that a workflow starts exist in the project', () => {
  const programs = commands.flatMap(({ run }) => [
    ...run.matchAll(/(?:^|\s)\.\/((?:deploy|scripts)\/\S+|quickstart)/g),
  ]);
  expect(programs.length).toBeGreaterThan(3);
  for (const [, program = ''] of programs) expect(() => accessSync(program, constants.X_OK), program).not.toThrow();
});

/** Runs the shell lines of a step as GitHub's runner does, with fake programs that record how they were called. */
function runStep(lines: Step, env: Readonly<Record<string, string>>, programs: Readonly<Record<string, string>>) {
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/bash\necho "${name} $*" >> "$CALLS"\n${script}\n`, { mode: 0o755 });
  }
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  const github = { GITHUB_REPOSITORY_OWNER: 'Example', GITHUB_SHA: 'abc' };
  const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', lines.run ?? ''], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env.PATH}`, CALLS: calls, ...github, ...env },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return readFileSync(calls, 'utf8').trim().split('\n');
}

const stepNamed = ({ steps = [] }: Job, start: string): Step =>
  steps.find(({ name }) => name?.startsWith(start)) ?? expect.fail(start);
const targets = readStages()
  .map(({ name }) => name)
  .filter((name) => ['api', 'backup', 'worker'].includes(name))
  .sort();
const wordsOf = (call: string, option: string): string | undefined => new RegExp(`${option}[ =](\\S+)`).exec(call)?.[1];

test.each([
  [
    'true',
    (name: string) =>
      `type=image,name=ghcr.io/example/docmill-${name},push-by-digest=true,name-canonical=true,push=true`,
  ],
  ['false', () => 'type=cacheonly'],
])('push %s builds every image, which leaves the runner by digest or not at all', (push, output) => {
  const step = stepNamed(job('build-release.yml', 'images'), 'Build the images');
  const docker = `while [ "$1" != --metadata-file ]; do shift; done; echo '{"containerimage.digest":"sha256:1"}' > "$2"`;
  const calls = runStep(step, { PLATFORM: 'linux/arm64', PUSH: push, SOURCE: 'https://example.com' }, { docker });
  expect(calls.map((call) => wordsOf(call, '--target')).sort()).toEqual(targets);
  for (const call of calls) {
    expect(wordsOf(call, '--output')).toBe(output(wordsOf(call, '--target') ?? ''));
    expect(wordsOf(call, '--platform')).toBe('linux/arm64');
    expect(call).toContain('--provenance=mode=max --sbom=true');
  }
  const digests = readdirSync(join(folder, 'digests'));
  expect(digests).toEqual(push === 'true' ? ['api-arm64', 'backup-arm64', 'worker-arm64'] : []);
  for (const file of digests)
    expect(readFileSync(join(folder, 'digests', file), 'utf8')).toBe(
      `ghcr.io/example/docmill-${file.replace('-arm64', '')}@sha256:1\n`,
    );
});

test('a release tags one list with both platforms for each image, and prints its digest', () => {
  const step = stepNamed(job('release.yml', 'images'), 'Tag one list');
  const docker = `[ "$3" != inspect ] || echo sha256:2`;
  const digests = targets.flatMap((name) => ['amd64', 'arm64'].map((platform) => `${name}-${platform}`));
  mkdirSync(join(folder, 'digests'));
  for (const file of digests) writeFileSync(join(folder, 'digests', file), `image@sha256:${file}\n`);
  const calls = runStep(step, { VERSION: 'v1.2.0' }, { docker }).filter((call) => call.includes('create'));
  expect(calls.sort()).toEqual(
    targets.map(
      (name) =>
        `docker buildx imagetools create --tag ghcr.io/example/docmill-${name}:1.2.0 image@sha256:${name}-amd64 image@sha256:${name}-arm64`,
    ),
  );
  expect(readFileSync(join(folder, 'images.md'), 'utf8')).toContain('- `ghcr.io/example/docmill-api:1.2.0@sha256:2`\n');
});

test('the client is published to npm first, with provenance, and a repeated release publishes what is missing', () => {
  const step = stepNamed(job('release.yml', 'npm'), 'Publish the client');
  for (const name of ['typescript', 'cli'])
    expect(JSON.parse(readFileSync(`clients/${name}/package.json`, 'utf8'))).toMatchObject({
      publishConfig: { access: 'public', provenance: true },
    });
  const publish = 'npm publish ./packages/';
  const published = (npm: string) =>
    runStep(step, { VERSION: 'v1.2.0' }, { npm }).filter((call) => call.startsWith('npm publish'));
  expect(published('')).toEqual([`${publish}docmill-client-1.2.0.tgz`, `${publish}docmill-1.2.0.tgz`]);
  expect(published('[ "$2" != @docmill/client@1.2.0 ] || echo 1.2.0')).toEqual([`${publish}docmill-1.2.0.tgz`]);
});
