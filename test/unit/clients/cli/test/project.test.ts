import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readWorkspace } from '../../../../../clients/cli/src/dev/workspace.ts';
import { type Golden, readGolden, writeGolden } from '../../../../../clients/cli/src/test/golden.ts';
import { readProject } from '../../../../../clients/cli/src/test/project.ts';
import { useFolder } from '../../../../support/folder.ts';

const project = useFolder();
const root = project.path;
beforeEach(project.empty);

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) project.write(path, text);
}

test('finds the cases of each template, with the settings of the project and of the case', async () => {
  const mask = { x: 1, y: 1, width: 5, height: 5 };
  const settings = { delimiters: '{{ }}', test: { thresholds: { movedPt: 2 }, masks: [mask] }, other: 1 };
  const rules = { pages: 12, output: { locale: 'de' }, masks: [{ ...mask, page: 2 }] };
  write({
    'docmill.json': JSON.stringify(settings),
    'templates/invoice.docx': '',
    'templates/~$invoice.docx': '',
    'templates/letter.docx': '',
    'cases/invoice/plain.json': '{}',
    'cases/invoice/long.json': '{}',
    'cases/invoice/long.rules.json': JSON.stringify(rules),
    'cases/invoice/long.expected/document.json': '{}',
  });
  const { templates, cases, delimiters } = await readProject(root);
  expect(delimiters).toBe('{{ }}');
  expect((await readWorkspace(root)).cases.map((one) => one.delimiters)).toEqual(['{{ }}', '{{ }}', '{{ }}']);
  expect(templates.map(({ name }) => name)).toEqual(['invoice', 'letter']);
  expect(cases.map(({ name }) => name)).toEqual(['long', 'plain']);
  expect(cases[0]?.rules).toMatchObject({ pages: 12, thresholds: { movedPt: 2, pixels: 0 }, output: { locale: 'de' } });
  expect(cases[0]?.rules.masks).toHaveLength(2);
  expect(cases[1]?.rules).toMatchObject({ pages: 5, output: { documentDate: '2026-01-01T00:00:00Z' } });
  const filtered = await readProject(root, 'voice/pl');
  expect(filtered.cases.map(({ name }) => name)).toEqual(['plain']);
  expect(filtered.templates.map(({ name }) => name)).toEqual(['invoice']);
});

test.each([
  ['no docmill.json', {}, /docmill\.json is missing.*docmill init/],
  ['no folder of templates', { 'docmill.json': '{}' }, /folder of templates .* is missing/],
  ['a mistyped rule', { 'docmill.json': '{"test":{"treshold":1}}' }, /docmill\.json is wrong[\s\S]*treshold/],
  ['broken JSON', { 'docmill.json': '{"test":' }, /docmill\.json is not valid JSON/],
  ['one delimiter', { 'docmill.json': '{"delimiters":"{{"}' }, /must be two delimiters with a space/],
  ['a folder outside', { 'docmill.json': '{"templates":"../elsewhere"}' }, /must be inside the project/],
  [
    'cases without their template',
    { 'docmill.json': '{}', 'templates/a.docx': '', 'cases/b/one.json': '{}' },
    /no b\.docx/,
  ],
])('refuses %s', async (_name, files, message) => {
  write(files as Record<string, string>);
  await expect(readProject(root)).rejects.toThrow(message);
});

test('expected pages are read as they were written, and a damaged folder is reported', async () => {
  const segments = [
    { text: 'Dear  "Ada" {x}', x: 56.7, y: 100, width: 85.2 },
    { text: '日本 → 1,5', x: -3, y: 1200.5, width: 8 },
  ];
  const golden: Golden = { pageCount: 7, sha256: 'ab', dpi: 96, pages: [{ width: 595.3, height: 841.9, segments }] };
  const folder = join(root, 'case.expected');
  expect(await readGolden(folder)).toBeUndefined();
  await writeGolden(folder, golden, [Buffer.from('png')]);
  await writeGolden(folder, golden, [Buffer.from('png')]);
  expect(await readGolden(folder)).toEqual(golden);
  expect(project.text('case.expected/page-1.png')).toBe('png');
  project.write('case.expected/page-1.txt', 'no position');
  await expect(readGolden(folder)).rejects.toThrow(/"no position" is not a line[\s\S]*--update/);
});
