import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readLock, writeLock } from '../../../../../clients/cli/src/templates/lock-file.ts';

const root = mkdtempSync(join(tmpdir(), 'docmill-lock-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const path = join(root, 'docmill.lock.json');
const entry = { id: `tpl_${'0'.repeat(26)}`, name: 'a.docx', version: 3, checksum: 'b'.repeat(64) };

test('keeps the templates of each service, in the order of their files', async () => {
  await writeLock(root, 'https://one.example', new Map([['b.docx', entry]]));
  await writeLock(
    root,
    'https://two.example',
    new Map([
      ['z.docx', entry],
      ['a.docx', entry],
    ]),
  );
  expect([...(await readLock(root, 'https://one.example'))]).toEqual([['b.docx', entry]]);
  expect([...(await readLock(root, 'https://two.example')).keys()]).toEqual(['a.docx', 'z.docx']);
  expect(await readLock(root, 'https://three.example')).toEqual(new Map());
  expect(readdirSync(root)).toEqual(['docmill.lock.json']);
  expect(readFileSync(path, 'utf8')).toMatch(/\}\n$/);
});

test.each([
  ['no JSON', '<<<<<<< HEAD'],
  ['another version', { lockVersion: 2, services: {} }],
  ['a path', { lockVersion: 1, services: { u: { templates: { '../x.docx': entry } } } }],
  ['a hidden file', { lockVersion: 1, services: { u: { templates: { '.docx': entry } } } }],
  ['another ending', { lockVersion: 1, services: { u: { templates: { '.bashrc': entry } } } }],
  [
    'an id with a path',
    { lockVersion: 1, services: { u: { templates: { 'a.docx': { ...entry, id: 'tpl_/../x' } } } } },
  ],
  ['no checksum', { lockVersion: 1, services: { u: { templates: { 'a.docx': { ...entry, checksum: '' } } } } }],
])('a lock file with %s is refused, and kept', async (_what, content) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(path, text);
  await expect(readLock(root, 'u')).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining('Restore it') });
  await expect(writeLock(root, 'u', new Map())).rejects.toThrow();
  expect(readFileSync(path, 'utf8')).toBe(text);
});
