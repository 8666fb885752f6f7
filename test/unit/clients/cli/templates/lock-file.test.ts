import { expect, test } from 'vitest';
import { readLock, writeLock } from '../../../../../clients/cli/src/templates/lock-file.ts';
import { useFolder } from '../../../../support/folder.ts';

const folder = useFolder();
const root = folder.path;
const path = 'docmill.lock.json';
const entry = { id: `tpl_${'0'.repeat(26)}`, name: 'a.docx', version: 3, checksum: 'b'.repeat(64) };

test('lists the templates of each service in the order of their files', async () => {
  await writeLock(root, 'https://one.example', new Map([['b.docx', entry]]));
  const two = ['z.docx', 'a.docx'].map((file) => [file, entry] as const);
  await writeLock(root, 'https://two.example', new Map(two));
  expect([...(await readLock(root, 'https://one.example'))]).toEqual([['b.docx', entry]]);
  expect([...(await readLock(root, 'https://two.example')).keys()]).toEqual(['a.docx', 'z.docx']);
  expect(await readLock(root, 'https://three.example')).toEqual(new Map());
  expect(folder.list()).toEqual([path]);
  expect(folder.text(path)).toMatch(/\}\n$/);
});

const lockOf = (templates: object) => ({ lockVersion: 1, services: { u: { templates } } });

test.each([
  ['no JSON', '<<<<<<< HEAD'],
  ['another version', { lockVersion: 2, services: {} }],
  ['a path', lockOf({ '../x.docx': entry })],
  ['a hidden file', lockOf({ '.docx': entry })],
  ['another ending', lockOf({ '.bashrc': entry })],
  ['an id with a path', lockOf({ 'a.docx': { ...entry, id: 'tpl_/../x' } })],
  ['no checksum', lockOf({ 'a.docx': { ...entry, checksum: '' } })],
])('a lock file with %s is refused and not changed', async (_what, content) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  folder.write(path, text);
  await expect(readLock(root, 'u')).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining('Restore it') });
  await expect(writeLock(root, 'u', new Map())).rejects.toThrow();
  expect(folder.text(path)).toBe(text);
});
