import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openFolder } from '../../../../../clients/cli/src/mcp/open-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'docmill-folder-'));
const root = join(parent, 'shared');
mkdirSync(join(root, 'data'), { recursive: true });
mkdirSync(join(parent, 'shared-not'));
writeFileSync(join(parent, 'secret.json'), '{"secret":1}');
writeFileSync(join(parent, 'shared-not/secret.json'), '{"secret":2}');
writeFileSync(join(root, 'data/invoice.json'), '\ufeff{"name":"Ada"}');
writeFileSync(join(root, 'data/..odd.json'), '{"name":"odd"}');
symlinkSync(join(parent, 'secret.json'), join(root, 'link.json'));
symlinkSync(parent, join(root, 'up'));
symlinkSync(join(root, 'data/invoice.json'), join(root, 'inside.json'));
writeFileSync(join(root, 'large.json'), Buffer.alloc(10 * 1024 * 1024 + 1, 32));
execFileSync('mkfifo', [join(root, 'pipe.json')]);
const folder = await openFolder(root);

afterAll(() => rmSync(parent, { recursive: true, force: true }));

test.each(['data/invoice.json', './data/invoice.json', 'data//invoice.json', 'inside.json'])(
  'reads the file %s below the folder',
  async (path) => {
    expect(await folder.readText(path)).toBe('{"name":"Ada"}');
  },
);

test('two dots at the beginning of a name are no way up', async () => {
  expect(await folder.readText('data/..odd.json')).toBe('{"name":"odd"}');
});

test.each([
  ['a parent', '../secret.json'],
  ['a parent in the middle', 'data/../../secret.json'],
  ['a way up and down again', '../shared/data/invoice.json'],
  ['a way up, as Windows writes it', '..\\secret.json'],
  ['a neighbour whose name begins the same', '../shared-not/secret.json'],
  ['an absolute path', join(parent, 'secret.json')],
  ['an absolute path into the folder', join(root, 'data/invoice.json')],
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

test.each(['https://example.com/a.json', 'file:///etc/passwd', 'file:data/invoice.json', 'data:text/plain,1'])(
  'refuses the address %s',
  async (path) => {
    await expect(folder.readText(path)).rejects.toThrow(/Addresses are not read/);
  },
);

test('refuses what is no file, what is missing, and what is too long, without waiting', async () => {
  await expect(folder.readText('data')).rejects.toThrow(/not a file/);
  await expect(folder.readText('.')).rejects.toThrow(/is not in the folder/);
  await expect(folder.readText('pipe.json')).rejects.toThrow(/not a file/);
  await expect(folder.readText('missing.json')).rejects.toThrow(/There is no file/);
  await expect(folder.readText('large.json')).rejects.toThrow(/longer than 10 MB/);
});

test('writes new files only, in the folder itself, also where a name is a path or a link', async () => {
  symlinkSync(join(parent, 'written-outside.pdf'), join(root, 'dangling.pdf'));
  const bytes = Buffer.from('%PDF-');
  expect(await folder.write('letter.pdf', bytes)).toBe('letter.pdf');
  expect(await folder.write('letter.pdf', Buffer.from('second'))).toBe('letter-2.pdf');
  expect(await folder.write('../../etc/letter.pdf', bytes)).toBe('letter-3.pdf');
  expect(await folder.write('..', bytes)).toBe('document');
  expect(await folder.write('dangling.pdf', bytes)).toBe('dangling-2.pdf');
  expect(readFileSync(join(root, 'letter.pdf'))).toEqual(bytes);
  expect(readdirSync(parent).sort()).toEqual(['secret.json', 'shared', 'shared-not']);
});

test('a folder that is missing, and a file in its place, are reported at the start', async () => {
  await expect(openFolder(join(parent, 'missing'))).rejects.toThrow(/is not a folder/);
  await expect(openFolder(join(parent, 'secret.json'))).rejects.toThrow(/is not a folder/);
});
