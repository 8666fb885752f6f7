import { expect, test } from 'vitest';
import { createExampleTemplate } from '../../../../clients/cli/src/init/example-template.ts';
import { readDocxText } from '../../../../clients/cli/src/templates/docx-text.ts';
import { readProject } from '../../../../clients/cli/src/test/project.ts';
import { ooxmlProblems } from '../../../support/documents/ooxml-check.ts';
import { useFolder } from '../../../support/folder.ts';
import { runInProcess as run } from './run-in-process.ts';

const top = useFolder();

test('the command creates a project that docmill test reads, and does so once', async () => {
  const folder = top.at('new/project');
  const { exitCode, stdout, stderr } = await run(`init ${folder}`);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain('templates/example-invoice.docx');
  expect(stderr).toContain('docmill test --update');
  const { cases, templates } = await readProject(folder);
  expect(templates.map(({ name }) => name)).toEqual(['example-invoice']);
  expect(cases.map(({ name }) => name)).toEqual(['example']);
  const again = { exitCode: 2, stderr: expect.stringContaining('a project already') };
  expect(await run(`init ${folder}`)).toMatchObject(again);
});

test('--dry-run writes nothing, and existing files are kept', async () => {
  const folder = top.below();
  const planned = await run(`init ${folder.at('x')} --dry-run --json`);
  expect(JSON.parse(planned.stdout)).toMatchObject({ dryRun: true });
  expect(folder.list()).toEqual([]);
  const path = folder.write('README.md', 'mine');
  const { stdout } = await run(`init ${folder.path} --json`);
  expect(JSON.parse(stdout)).toMatchObject({ files: expect.arrayContaining([{ path, action: 'kept' }]) });
  expect(folder.text('README.md')).toBe('mine');
  expect(folder.list()).toContain('docmill.json');
});

test('the example is a valid Word document with the same bytes each time', async () => {
  const bytes = createExampleTemplate();
  expect(createExampleTemplate()).toEqual(bytes);
  expect(readDocxText(bytes)).toContain('Invoice {number}');
  expect(await ooxmlProblems(bytes)).toEqual([]);
});
