import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checksum } from '../../../../../clients/cli/src/dev/read-case.ts';
import { saveData } from '../../../../../clients/cli/src/dev/save-data.ts';
import { findRoot } from '../../../../../clients/cli/src/dev/workspace.ts';

const folder = await findRoot(mkdtempSync(join(tmpdir(), 'docmill-save-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const caseOf = (name: string) => ({
  template: 'letter',
  name,
  templatePath: join(folder, 'letter.docx'),
  dataPath: join(folder, `${name}.json`),
  output: {},
});

test('the version that was edited is replaced, with its permissions, and nothing is left beside it', async () => {
  const path = join(folder, 'one.json');
  writeFileSync(path, '{"a": 1}');
  chmodSync(path, 0o640);
  expect(await saveData(folder, caseOf('one'), '{"a": 2}', checksum('{"a": 1}'))).toEqual({
    saved: { text: '{"a": 2}', version: checksum('{"a": 2}') },
  });
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['{"a": 2}', 0o640]);
  expect(readdirSync(folder)).toEqual(['one.json']);
});

test('a file that changed is kept and returned', async () => {
  const path = join(folder, 'two.json');
  writeFileSync(path, 'theirs');
  const current = { text: 'theirs', version: checksum('theirs') };
  expect(await saveData(folder, caseOf('two'), 'mine', checksum('before'))).toEqual({ current });
  expect(await saveData(folder, caseOf('two'), 'mine', null)).toEqual({ current });
  expect(readFileSync(path, 'utf8')).toBe('theirs');
});

test('a file that is missing is written, also in a folder that is missing', async () => {
  const one = { ...caseOf('x'), dataPath: join(folder, 'cases/letter/first.json') };
  expect(await saveData(folder, one, '{}', null)).toMatchObject({ saved: { text: '{}' } });
  expect(readFileSync(one.dataPath, 'utf8')).toBe('{}');
});

test('of two saves of the same version one wins, and the other gets what it wrote', async () => {
  writeFileSync(join(folder, 'race.json'), 'before');
  const versions = ['one', 'other', 'third'];
  const answers = await Promise.all(versions.map((text) => saveData(folder, caseOf('race'), text, checksum('before'))));
  const saved = answers.filter((answer) => 'saved' in answer);
  expect(saved).toHaveLength(1);
  expect(answers.filter((answer) => 'current' in answer)).toHaveLength(2);
  expect(readFileSync(join(folder, 'race.json'), 'utf8')).toBe(saved.map((answer) => answer.saved.text).join());
});
