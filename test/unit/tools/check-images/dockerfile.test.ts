import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listContext } from '../../../../tools/check-images/build-context.ts';
import { parseDockerfile } from '../../../../tools/check-images/parse-dockerfile.ts';

const stages = parseDockerfile(readFileSync('Dockerfile', 'utf8'));
const names = stages.map(({ name }) => name);

test('both images can be built, and neither runs as root', () => {
  for (const target of ['api', 'worker']) {
    const stage = stages.find(({ name }) => name === target);
    expect(stage?.steps.findLast(({ instruction }) => instruction === 'USER')?.text).toBe('node');
    expect(stage?.steps.at(-1)).toEqual({ instruction: 'CMD', text: `["scripts/start", "${target}"]` });
  }
});

test('every external base image is pinned to a version', () => {
  const outside = stages.map(({ from }) => from).filter((from) => !names.includes(from));
  expect(outside).toEqual([expect.stringMatching(/^node:24\.\d+\.\d+-trixie-slim$/)]);
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
