import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildConsole } from '../../../../tools/console/build-console.ts';
import { useFolders } from '../../../support/folder.ts';

const folder = useFolders()();
const maxFirstLoadBytes = 100_000;
const built = await buildConsole('.', join(folder, 'first'));

test('the first load has at most 100 KB of compressed script', () => {
  const first = built.scripts.filter(({ isFirstLoad }) => isFirstLoad);
  const sum = first.reduce((total, { gzipBytes }) => total + gzipBytes, 0);
  expect(first.length).toBeGreaterThan(0);
  expect(sum, JSON.stringify(first, null, 1)).toBeLessThanOrEqual(maxFirstLoadBytes);
});

test('the first load is only the frame; pages, viewer, editor and charts are loaded when they are opened', () => {
  const modules = built.scripts.filter(({ isFirstLoad }) => isFirstLoad).flatMap((script) => script.modules);
  const own = modules.filter((path) => path.startsWith('src/console/'));
  expect(
    own.filter(
      (path) => !/^src\/console\/(main\.tsx|(shell|session|commands|ui|texts|styles)\/|index\.html)/.test(path),
    ),
  ).toEqual([]);
  const packages = modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const allowed =
    /^(preact|@preact\/signals(-core)?|wouter(-preact)?|regexparam|lucide-preact|use-sync-external-store|mitt|@fontsource-variable\/inter)$/;
  expect([...new Set(packages)].filter((name) => !allowed.test(name))).toEqual([]);
});

test('no file of the build loads anything from another host', () => {
  const texts = readdirSync(join(folder, 'first'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(html|css)$/.test(file))
    .map((file) => [file, readFileSync(join(folder, 'first', file), 'utf8')] as const);
  expect(texts.length).toBeGreaterThan(1);
  for (const [file, text] of texts) expect(text, file).not.toMatch(/(url\(|src=|href=|@import)["' ]*(https?:)?\/\//);
});

test('the same source gives the same files', async () => {
  await buildConsole('.', join(folder, 'second'));
  const listOf = (name: string) => readFileSync(join(folder, name, 'files.json'), 'utf8');
  expect(listOf('second')).toBe(listOf('first'));
});
