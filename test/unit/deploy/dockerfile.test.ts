import { readFileSync, statSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { buildContext, copiedPaths, inBuildContext, readStages, type Stage } from '../../support/deploy/dockerfile.ts';

const stages = readStages();
const names = stages.map(({ name }) => name);
const stage = (wanted: string): Stage => {
  const found = stages.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`the Dockerfile has no stage ${wanted}`);
  return found;
};
const textsOf = (wanted: Stage, keyword: string): readonly string[] =>
  wanted.steps.filter((step) => step.keyword === keyword).map(({ text }) => text);

test('every image can be built, and none runs as root', () => {
  for (const target of ['api', 'worker']) {
    expect(textsOf(stage(target), 'USER')).toEqual(['node']);
    expect(stage(target).steps.at(-1)).toMatchObject({ keyword: 'CMD', text: `["scripts/start", "${target}"]` });
  }
  expect(stage('backup').steps.slice(-3)).toMatchObject([
    { keyword: 'USER', text: '1000:1000' },
    { keyword: 'ENTRYPOINT', text: '["tini", "--"]' },
    { keyword: 'CMD', text: '["scripts/backup", "/backups"]' },
  ]);
});

test('every external base image is pinned to a version', () => {
  const outside = stages.map(({ from }) => from).filter((from) => !names.includes(from));
  expect(outside).toEqual([
    expect.stringMatching(/^node:24\.\d+\.\d+-trixie-slim$/),
    expect.stringMatching(/^postgres:18\.\d+-bookworm$/),
  ]);
});

test('the parser finds no error in the Dockerfile', () => {
  const problems = validate(readFileSync('Dockerfile', 'utf8'));
  expect(problems.map(({ range, message }) => `line ${range.start.line + 1}: ${message}`)).toEqual([]);
});

test('Node.js and LibreOffice have the versions that the tests use', () => {
  expect(stage('base').from).toBe(`node:${readFileSync('.nvmrc', 'utf8').trim()}-trixie-slim`);
  const tested = /^current_office=(.*)$/m.exec(readFileSync('scripts/prerequisites', 'utf8'))?.[1];
  const worker = stage('worker');
  expect(textsOf(worker, 'ARG')).toContain(`OFFICE_VERSION=${tested}`);
  expect(textsOf(worker, 'RUN').find((text) => text.includes('libreoffice-writer-nogui'))).toContain(
    '| grep --extended-regexp "^([0-9]+:)?$OFFICE_VERSION',
  );
});

test('images have a health check, and contain no build tools and no secrets in their variables', () => {
  const finals = ['runtime', 'api', 'worker', 'backup'].map(stage);
  const texts = (keyword: string) => finals.flatMap((one) => textsOf(one, keyword));
  expect(texts('HEALTHCHECK')).toHaveLength(1);
  expect(textsOf(stage('runtime'), 'RUN')[0]).toMatch(
    /rm -rf .*\/usr\/local\/lib\/node_modules.*\/usr\/local\/bin\/npm /,
  );
  expect(texts('RUN').join('\n')).not.toMatch(/\b(gcc|g\+\+|make|build-essential|git|curl|wget|npm (ci|run)|pip)\b/);
  for (const command of texts('RUN')) expect(command).toMatch(/--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists/);
  expect([...texts('ENV'), ...texts('ARG')].join('\n')).not.toMatch(/password|secret|token|_key/i);
  expect(finals.flatMap(({ steps }) => steps).map(({ keyword }) => keyword)).not.toContain('ADD');
});

test('everything copied into an image is in the build context, and its path stays the same', () => {
  const context = buildContext();
  for (const { name, steps } of stages.filter((one) => copiedPaths(one).length > 0)) {
    for (const { text, flags } of steps.filter(({ keyword }) => keyword === 'COPY')) {
      if (flags.length > 0) continue;
      const [target = '', ...sources] = text.split(' ').reverse();
      for (const source of sources) {
        const isThere = context.some((file) => file === source || file.startsWith(`${source}/`));
        expect(isThere, `${name}: ${source}`).toBe(true);
        const folder = source.includes('/') ? source.slice(0, source.lastIndexOf('/') + 1) : './';
        expect([source, folder], `${name}: COPY ${text}`).toContain(target);
        if (statSync(source).isDirectory()) expect(target, `a folder is copied under its name`).toBe(source);
      }
    }
  }
});

test('the build context contains exactly what the images copy', () => {
  const copied = stages.flatMap(copiedPaths);
  const isCopied = (file: string): boolean => copied.some((path) => file === path || file.startsWith(`${path}/`));
  expect(buildContext().filter((file) => !isCopied(file))).toEqual([]);
});

test('secrets, data and modules of the build machine stay out of the build context', () => {
  const kept = ['src/api/main.ts', 'package.json', 'drizzle/0000.sql', 'scripts/copy-assets.mjs'];
  const left = [
    '.env',
    '.secrets/redis_url',
    '.local/secrets.json',
    'node_modules/a.js',
    'src/console/node_modules/a.js',
  ];
  const built = [
    'dist/api/main.js',
    'clients/typescript/dist/main.js',
    'test/a.test.ts',
    'src/a.test.ts',
    'scripts/test',
  ];
  expect(inBuildContext([...kept, ...left, ...built, 'tools/local/main.ts'])).toEqual(kept);
});
