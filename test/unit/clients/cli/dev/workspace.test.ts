import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRoot, insideOf, readWorkspace } from '../../../../../clients/cli/src/dev/workspace.ts';
import { useFolder } from '../../../../support/folder.ts';

const folder = useFolder();

async function workspaceOf(name: string, files: Readonly<Record<string, string>>) {
  for (const [file, content] of Object.entries(files)) folder.write(join(name, file), content);
  const root = await findRoot(folder.at(name));
  const { cases, problem } = await readWorkspace(root);
  return { cases: cases.map((one) => [one.template, one.name, one.dataPath.slice(root.length + 1)]), problem };
}

describe('the templates of a folder', () => {
  test("use the data file of the same name, and editors' temporary files are ignored", async () => {
    const names = ['letter.docx', 'letter.json', 'letter.long.json', 'letters.json', 'bill.DOCX', '~$bill.docx'];
    const files = Object.fromEntries([...names, '.hidden.docx', 'notes.txt'].map((name) => [name, '{}']));
    expect(await workspaceOf('plain', files)).toEqual({
      cases: [
        ['bill', 'bill', 'bill.json'],
        ['letter', 'letter', 'letter.json'],
        ['letter', 'letter.long', 'letter.long.json'],
      ],
      problem: null,
    });
  });

  test('are those of the project if there is one', async () => {
    const files = {
      'docmill.json': '{"templates": "t"}',
      't/bill.docx': '',
      't/letter.docx': '',
      'cases/bill/one.json': '{}',
      'cases/bill/one.rules.json': '{"output": {"locale": "de"}}',
      'other.docx': '',
    };
    expect((await workspaceOf('project', files)).cases).toEqual([
      ['bill', 'one', 'cases/bill/one.json'],
      ['letter', 'first', 'cases/letter/first.json'],
    ]);
  });

  test('a mistake in the project is reported', async () => {
    const { cases, problem } = await workspaceOf('wrong', { 'docmill.json': '{', 'templates/a.docx': '' });
    expect(cases).toEqual([]);
    expect(problem).toContain('docmill.json is not valid JSON');
  });
});

test('a file behind a link that leads out of the folder is refused', async () => {
  const own = folder.write('in/own.json', '{}');
  symlinkSync(folder.write('outside.json', '{}'), folder.at('in/file.json'));
  symlinkSync(folder.path, folder.at('in/up'));
  symlinkSync(own, folder.at('in/linked.json'));
  const inner = await findRoot(folder.at('in'));
  await expect(insideOf(inner, join(inner, 'file.json'))).rejects.toThrow('leads out of the folder');
  await expect(insideOf(inner, join(inner, 'up/new.json'))).rejects.toThrow('leads out of the folder');
  expect(await insideOf(inner, join(inner, 'linked.json'))).toBe(join(inner, 'own.json'));
  expect(await insideOf(inner, join(inner, 'new/deep.json'))).toBe(join(inner, 'new/deep.json'));
});
