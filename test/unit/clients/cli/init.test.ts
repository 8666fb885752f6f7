import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createExampleTemplate } from '../../../../clients/cli/src/init/example-template.ts';
import { readDocxText } from '../../../../clients/cli/src/templates/docx-text.ts';
import { readProject } from '../../../../clients/cli/src/test/project.ts';
import { ooxmlProblems } from '../../../support/documents/ooxml-check.ts';
import { runInProcess as run } from './run-in-process.ts';

const top = mkdtempSync(join(tmpdir(), 'docmill-init-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

test('makes a project that docmill test reads, once', async () => {
  const folder = join(top, 'new/project');
  const { exitCode, stdout, stderr } = await run(['init', folder]);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain('templates/example-invoice.docx');
  expect(stderr).toContain('docmill test --update');
  const { cases, templates } = await readProject(folder);
  expect(templates.map(({ name }) => name)).toEqual(['example-invoice']);
  expect(cases.map(({ name }) => name)).toEqual(['example']);
  expect(await run(['init', folder])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('a project already'),
  });
});

test('--dry-run writes nothing, and files that exist are kept', async () => {
  const folder = mkdtempSync(join(top, 'kept-'));
  expect(JSON.parse((await run(['init', join(folder, 'x'), '--dry-run', '--json'])).stdout)).toMatchObject({
    dryRun: true,
  });
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(folder, 'README.md'), 'mine');
  const { stdout } = await run(['init', folder, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    files: expect.arrayContaining([{ path: join(folder, 'README.md'), action: 'kept' }]),
  });
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'docmill.json'))).toBe(true);
});

test('the example is a valid Word document, always the same', async () => {
  const bytes = createExampleTemplate();
  expect(createExampleTemplate()).toEqual(bytes);
  expect(readDocxText(bytes)).toContain('Invoice {number}');
  expect(await ooxmlProblems(bytes)).toEqual([]);
});
