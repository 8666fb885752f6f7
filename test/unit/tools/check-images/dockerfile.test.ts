import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listContext } from '../../../../tools/check-images/build-context.ts';
import { parseDockerfile } from '../../../../tools/check-images/parse-dockerfile.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const stages = parseDockerfile(dockerfile);
const names = stages.map(({ name }) => name);

test('all images can be built, and none runs as root', () => {
  for (const target of ['api', 'worker']) {
    const stage = stages.find(({ name }) => name === target);
    expect(stage?.steps.findLast(({ instruction }) => instruction === 'USER')?.text).toBe('node');
    expect(stage?.steps.at(-1)).toEqual({ instruction: 'CMD', text: `["scripts/start", "${target}"]` });
  }
  const backup = stages.find(({ name }) => name === 'backup');
  expect(backup?.steps.slice(-3).map(({ instruction, text }) => `${instruction} ${text}`)).toEqual([
    'USER 1000:1000',
    'ENTRYPOINT ["tini", "--"]',
    'CMD ["scripts/backup", "/backups"]',
  ]);
});

test('every external base image is pinned to a version', () => {
  const outside = stages.map(({ from }) => from).filter((from) => !names.includes(from));
  expect(outside).toEqual([
    expect.stringMatching(/^node:24\.\d+\.\d+-trixie-slim$/),
    expect.stringMatching(/^postgres:18\.\d+-bookworm$/),
  ]);
});

test('the file has no error that the parser finds', () => {
  expect(validate(dockerfile).map(({ range, message }) => `line ${range.start.line + 1}: ${message}`)).toEqual([]);
});

test('Node.js and LibreOffice are those that the tests run with', () => {
  expect(stages[0]?.from).toBe(`node:${readFileSync('.nvmrc', 'utf8').trim()}-trixie-slim`);
  const tested = /^current_office=(.*)$/m.exec(readFileSync('scripts/prerequisites', 'utf8'))?.[1];
  const worker = stages.find(({ name }) => name === 'worker');
  expect(worker?.steps).toContainEqual({ instruction: 'ARG', text: `OFFICE_VERSION=${tested}` });
  expect(worker?.steps.find(({ text }) => text.includes('libreoffice-writer-nogui'))?.text).toContain(
    '| grep --extended-regexp "^([0-9]+:)?$OFFICE_VERSION\\."',
  );
});

test('images have a health check, no build tools, and no secrets in their variables', () => {
  const runtime = stages.find(({ name }) => name === 'runtime');
  const finals = stages
    .filter(({ name }) => ['runtime', 'api', 'worker', 'backup'].includes(name))
    .flatMap(({ steps }) => steps);
  expect(finals.filter(({ instruction }) => instruction === 'HEALTHCHECK')).toHaveLength(1);
  expect(runtime?.steps[0]?.text).toMatch(/rm -rf .*\/usr\/local\/lib\/node_modules.*\/usr\/local\/bin\/npm /);
  const commands = finals.filter(({ instruction }) => instruction === 'RUN').map(({ text }) => text);
  expect(commands.join('\n')).not.toMatch(/\b(gcc|g\+\+|make|build-essential|git|curl|wget|npm (ci|run)|pip)\b/);
  for (const command of commands) expect(command).toMatch(/--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists/);
  const variables = finals.filter(({ instruction }) => ['ENV', 'ARG'].includes(instruction)).map(({ text }) => text);
  expect(variables.join('\n')).not.toMatch(/password|secret|token|_key/i);
  expect(finals.map(({ instruction }) => instruction)).not.toContain('ADD');
});

test('what is copied into an image is in the build context', () => {
  const context = listContext('.');
  const copies = stages.flatMap(({ steps }) => steps).filter(({ instruction }) => instruction === 'COPY');
  const sources = copies
    .filter(({ text }) => !text.includes('--from='))
    .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));
  for (const source of sources)
    expect(
      context.some((file) => file === source || file.startsWith(`${source}/`)),
      source,
    ).toBe(true);
});

test('arguments before the first stage are filled in', () => {
  expect(parseDockerfile(`ARG A=x:1\nFROM $${'{A}'} AS one\n`)).toEqual([{ name: 'one', from: 'x:1', steps: [] }]);
});

test('continued lines and comments are understood', () => {
  const content = '# a\nFROM x:1 AS one\n# b\nRUN a \\\n  && b\n\nCMD ["c"]\nFROM one\n';
  expect(parseDockerfile(content)).toEqual([
    {
      name: 'one',
      from: 'x:1',
      steps: [
        { instruction: 'RUN', text: 'a && b' },
        { instruction: 'CMD', text: '["c"]' },
      ],
    },
    { name: '', from: 'one', steps: [] },
  ]);
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmill-context-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the images contain the sources and nothing else of the build machine', () => {
  const files = [
    'src/api/main.ts',
    'tools/local/main.ts',
    'package.json',
    '.env',
    'drizzle/0000.sql',
    'test/a.test.ts',
  ];
  for (const file of [...files, '.local/secrets.json', 'scripts/test', 'scripts/copy-assets.mjs']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  writeFileSync(join(folder, '.dockerignore'), readFileSync('.dockerignore'));
  expect(listContext(folder).sort()).toEqual([
    'drizzle/0000.sql',
    'package.json',
    'scripts/copy-assets.mjs',
    'src/api/main.ts',
  ]);
});
