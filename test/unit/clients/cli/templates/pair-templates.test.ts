import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairTemplates } from '../../../../../clients/cli/src/templates/pair-templates.ts';
import { toTemplateFile } from '../../../../../clients/cli/src/templates/template-file.ts';

const idOf = (number: number) => `tpl_${String(number).padStart(26, '0')}`;
const locked = (number: number, name: string) => ({ id: idOf(number), name, version: 1, checksum: 'a'.repeat(64) });
const unread = { size: 1, tags: [], createdAt: '', updatedAt: '' };
const remote = (number: number, name: string) => ({ ...locked(number, name), ...unread });
const brief = (pairs: ReturnType<typeof pairTemplates>) => pairs.map((pair) => [pair.file, pair.remote?.id.slice(-1)]);

test('templates are matched with files by the id in the lock file, then by name', () => {
  const lock = new Map([['renamed-here.docx', locked(1, 'invoice.docx')]]);
  const pairs = pairTemplates(['letter.docx', 'renamed-here.docx', 'new.docx'], lock, [
    remote(2, 'letter.docx'),
    remote(1, 'renamed-there.docx'),
    remote(3, 'invoice.docx'),
  ]);
  expect(brief(pairs)).toEqual([
    ['invoice.docx', '3'],
    ['letter.docx', '2'],
    ['new.docx', undefined],
    ['renamed-here.docx', '1'],
  ]);
});

test('a template that was deleted and created again is found by its name, unless several have it', () => {
  const lock = new Map([['bill.docx', locked(1, 'invoice.docx')]]);
  const again = remote(2, 'invoice.docx');
  expect(brief(pairTemplates(['bill.docx'], lock, [again]))).toEqual([['bill.docx', '2']]);
  const several = [again, remote(3, 'invoice.docx'), remote(4, 'other.docx')];
  const [pair] = pairTemplates(['bill.docx'], lock, several);
  expect(pair).toMatchObject({ file: 'bill.docx', remote: undefined });
  const twice = new Map([...lock, ['copy.docx', locked(3, 'invoice.docx')] as const]);
  const [, copy] = pairTemplates(['bill.docx', 'copy.docx'], twice, [again]);
  expect(copy).toMatchObject({ file: 'copy.docx', problem: expect.stringContaining('another file') });
});

test.each([
  ['../../etc/passwd.docx', 'passwd.docx'],
  ['.docx', 'document.docx'],
  ['..docx', 'document.docx'],
  ['UPPER.DOCX', 'UPPER.docx'],
  ['trailing. .docx', 'trailing.docx'],
])('the template %j is the file %j', (name, file) => {
  expect(pairTemplates([], new Map(), [remote(1, name)])[0]).toMatchObject({ file, problem: undefined });
});

test('names that some file systems consider equal get separate files, which do not change when a template is added', () => {
  const three = [remote(2, 'INVOICE.docx'), remote(1, 'invoice.docx'), remote(3, 'x/invoice.docx')];
  const files = [
    ['INVOICE-00000002.docx', '2'],
    ['invoice-00000003.docx', '3'],
    ['invoice.docx', '1'],
  ];
  expect(brief(pairTemplates([], new Map(), three))).toEqual(files);
  expect(brief(pairTemplates([], new Map(), [...three, remote(4, 'Invoice.docx')]))).toEqual(
    [...files, ['Invoice-00000004.docx', '4']].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
});

test('ambiguous files are reported', () => {
  const problemOf = (files: readonly string[], templates: Parameters<typeof pairTemplates>[2] = []) =>
    pairTemplates(files, new Map(), templates).map(({ problem }) => problem);
  expect(problemOf(['a.docx', 'A.docx'])).toEqual([expect.stringContaining('lower case'), expect.anything()]);
  expect(problemOf(['a:b.docx'])).toEqual([expect.stringContaining('a_b.docx')]);
  const several = problemOf(['a.docx'], [remote(1, 'a.docx'), remote(2, 'a.docx')]);
  expect(several).toEqual([undefined, expect.stringContaining('several templates')]);
  const twice = new Map(['a.docx', 'b.docx'].map((file) => [file, locked(1, 'a.docx')]));
  expect(pairTemplates(['a.docx', 'b.docx'], twice, [remote(1, 'a.docx')])[1]?.problem).toContain('lock file');
});

test('both encodings of an accent match', () => {
  const [pair] = pairTemplates(['a\u0308.docx'], new Map(), [remote(1, '\u00e4.docx')]);
  expect(pair).toMatchObject({ file: 'a\u0308.docx', isLocal: true, remote: { id: idOf(1) }, problem: undefined });
});

test('every template gets a file of its own in the folder, on every file system', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', '\\', '~', '$', ' ', '\u0000', 'ä', 'a\u0308') }),
    fc.constantFrom('con', 'a', 'A', idOf(1), `a-${idOf(2).slice(-8)}`, `a-${idOf(3)}`),
  );
  fc.assert(
    fc.property(fc.array(names, { maxLength: 6 }), (list) => {
      const pairs = pairTemplates(
        [],
        new Map(),
        list.map((name, index) => remote(index, `${name}.docx`)),
      );
      expect(pairs).toHaveLength(list.length);
      expect(new Set(pairs.map(({ file }) => file.toLowerCase().normalize('NFC'))).size).toBe(list.length);
      for (const { file } of pairs) {
        expect(toTemplateFile(file)).toBe(file);
        expect(file).not.toMatch(/[/\\\p{Cc}]|^[.~]/u);
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(240);
      }
    }),
  );
});
