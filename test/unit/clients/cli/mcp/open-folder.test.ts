import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder } from '../../../../../clients/cli/src/mcp/open-folder.ts';
import { useFolder } from '../../../../support/folder.ts';

const parent = useFolder();
const root = parent.at('shared');
const secret = parent.write('secret.json', '{"secret":1}');
parent.write('shared-not/secret.json', '{"secret":2}');
const invoice = parent.write('shared/data/invoice.json', '\ufeff{"name":"Ada"}');
parent.write('shared/data/..odd.json', '{"name":"odd"}');
symlinkSync(secret, join(root, 'link.json'));
symlinkSync(parent.path, join(root, 'up'));
symlinkSync(invoice, join(root, 'inside.json'));
parent.write('shared/large.json', Buffer.alloc(10 * 1024 * 1024 + 1, 32));
execFileSync('mkfifo', [join(root, 'pipe.json')]);
const folder = await openFolder(root);

test('files below the folder are read, and a name that begins with two dots does not leave it', async () => {
  for (const path of ['data/invoice.json', './data/invoice.json', 'data//invoice.json', 'inside.json'])
    expect(await folder.readText(path)).toBe('{"name":"Ada"}');
  expect(await folder.readText('data/..odd.json')).toBe('{"name":"odd"}');
});

test.each([
  ['a parent', '../secret.json'],
  ['a parent in the middle', 'data/../../secret.json'],
  ['a way up and down again', '../shared/data/invoice.json'],
  ['a way up, as Windows writes it', '..\\secret.json'],
  ['a neighbour whose name begins the same', '../shared-not/secret.json'],
  ['an absolute path', secret],
  ['an absolute path into the folder', invoice],
  ['a drive', 'C:\\secret.json'],
  ['a drive without a slash', 'C:secret.json'],
  ['a share', '\\\\server\\share\\secret.json'],
  ['a file that is a link out of the folder', 'link.json'],
  ['a folder that is a link out of the folder', 'up/secret.json'],
  ['NUL', 'data/invoice.json\0.txt'],
  ['nothing', ''],
])('refuses %s', async (_, path) => {
  await expect(folder.readText(path)).rejects.toThrow(/is not in the folder/);
});

test.each([
  ['https://example.com/a.json', 'Addresses are not read'],
  ['file:///etc/passwd', 'Addresses are not read'],
  ['file:data/invoice.json', 'Addresses are not read'],
  ['data:text/plain,1', 'Addresses are not read'],
  ['data', 'not a file'],
  ['.', 'is not in the folder'],
  ['pipe.json', 'not a file'],
  ['missing.json', 'There is no file'],
  ['large.json', 'longer than 10 MB'],
])('refuses %s without waiting: %s', async (path, message) => {
  await expect(folder.readText(path)).rejects.toThrow(message);
});

test('writes only new files in the folder itself, even if a name is a path or a link', async () => {
  symlinkSync(parent.at('written-outside.pdf'), join(root, 'dangling.pdf'));
  const bytes = Buffer.from('%PDF-');
  expect(await folder.write('letter.pdf', bytes)).toBe('letter.pdf');
  expect(await folder.write('letter.pdf', Buffer.from('second'))).toBe('letter-2.pdf');
  expect(await folder.write('../../etc/letter.pdf', bytes)).toBe('letter-3.pdf');
  expect(await folder.write('..', bytes)).toBe('document');
  expect(await folder.write('dangling.pdf', bytes)).toBe('dangling-2.pdf');
  expect(parent.read('shared/letter.pdf')).toEqual(bytes);
  expect(parent.list()).toEqual(['secret.json', 'shared', 'shared-not']);
});

test('a missing folder, or a file in its place, is reported at the start', async () => {
  for (const path of [parent.at('missing'), secret]) await expect(openFolder(path)).rejects.toThrow(/is not a folder/);
});
