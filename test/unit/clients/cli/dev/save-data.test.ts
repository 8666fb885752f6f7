import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checksum } from '../../../../../clients/cli/src/dev/read-case.ts';
import { saveData } from '../../../../../clients/cli/src/dev/save-data.ts';
import { findRoot } from '../../../../../clients/cli/src/dev/workspace.ts';
import { useFolder } from '../../../../support/folder.ts';

const folder = useFolder();
const root = await findRoot(folder.path);

const caseOf = (name: string) => ({
  template: 'letter',
  name,
  templatePath: join(root, 'letter.docx'),
  dataPath: join(root, `${name}.json`),
  output: {},
});

test('the version that was edited is replaced, keeps its permissions, and leaves no temporary file', async () => {
  const path = folder.write('one.json', '{"a": 1}');
  chmodSync(path, 0o640);
  const saved = { text: '{"a": 2}', version: checksum('{"a": 2}') };
  expect(await saveData(root, caseOf('one'), '{"a": 2}', checksum('{"a": 1}'))).toEqual({ saved });
  expect([folder.text('one.json'), statSync(path).mode & 0o777]).toEqual(['{"a": 2}', 0o640]);
  expect(folder.list()).toEqual(['one.json']);
});

test('a file that changed meanwhile is kept and returned', async () => {
  folder.write('two.json', 'theirs');
  const current = { text: 'theirs', version: checksum('theirs') };
  expect(await saveData(root, caseOf('two'), 'mine', checksum('before'))).toEqual({ current });
  expect(await saveData(root, caseOf('two'), 'mine', null)).toEqual({ current });
  expect(folder.text('two.json')).toBe('theirs');
});

test('a missing file is written, even if its folder is missing', async () => {
  const one = { ...caseOf('x'), dataPath: join(root, 'cases/letter/first.json') };
  expect(await saveData(root, one, '{}', null)).toMatchObject({ saved: { text: '{}' } });
  expect(folder.text('cases/letter/first.json')).toBe('{}');
});

test('two clients save the same version: one succeeds, and the other gets the saved content', async () => {
  folder.write('race.json', 'before');
  const versions = ['one', 'other', 'third'];
  const answers = await Promise.all(versions.map((text) => saveData(root, caseOf('race'), text, checksum('before'))));
  const saved = answers.filter((answer) => 'saved' in answer);
  expect(saved).toHaveLength(1);
  expect(answers.filter((answer) => 'current' in answer)).toHaveLength(2);
  expect(folder.text('race.json')).toBe(saved.map((answer) => answer.saved.text).join());
});
