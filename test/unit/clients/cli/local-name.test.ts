import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toLocalName } from '../../../../clients/cli/src/local-name.ts';
import { writeFreeFile } from '../../../../clients/cli/src/write-file.ts';
import { useFolder } from '../../../support/folder.ts';

const folder = useFolder();

test.each([
  ['invoice.docx', 'invoice.docx'],
  ['Rechnung für Zürich.docx', 'Rechnung für Zürich.docx'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['/absolute.docx', 'absolute.docx'],
  ['..', 'document'],
  ['', 'document'],
  ['.bashrc', 'bashrc'],
  ['~$open.docx', '$open.docx'],
  ['a\u0000b.docx', 'a_b.docx'],
  ['C:evil.docx', 'C_evil.docx'],
  ['name.docx:stream', 'name.docx_stream'],
  ['con.docx', '_con.docx'],
  ['COM1', '_COM1'],
  ['console.docx', 'console.docx'],
  ['dot. .', 'dot'],
  ['\u202exslx.docx', '_xslx.docx'],
  ['\ud800.docx', '\ufffd.docx'],
  ['a\u0308.docx', 'ä.docx'],
])('%j becomes %j', (name, local) => {
  expect(toLocalName(name)).toBe(local);
});

test('a long name keeps its extension, and no character is split', () => {
  const name = toLocalName(`${'😀'.repeat(300)}.docx`);
  expect(name).toMatch(/^(😀)+\.docx$/u);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
});

test('any name becomes one that stays in its folder, and converting it again changes nothing', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('.', '/', '\\', ' ', '~', ':', 'con', '\0', 'a', 'é') }),
  );
  fc.assert(
    fc.property(names, (name) => {
      const local = toLocalName(name);
      expect(basename(local)).toBe(local);
      expect(dirname(join('/folder', local))).toBe('/folder');
      expect(local).not.toMatch(/^[.~]|[. ]$|[\p{Cc}<>:"/\\|?*]/u);
      expect(Buffer.byteLength(local)).toBeLessThanOrEqual(200);
      expect(toLocalName(local)).toBe(local);
    }),
  );
});

test('an existing file is kept: the next free name is used', async () => {
  folder.write('a.pdf', 'kept');
  const writeFree = async (name: string) => basename(await writeFreeFile(folder.at(name), Buffer.from('x')));
  for (const name of ['a-2.pdf', 'a-3.pdf', 'a-4.pdf']) expect(await writeFree('a.pdf')).toBe(name);
  const together = await Promise.all([1, 2, 3].map(() => writeFree('b.pdf')));
  expect(new Set(together).size).toBe(3);
  expect(folder.text('a.pdf')).toBe('kept');
  expect(folder.list()).toHaveLength(7);
});
