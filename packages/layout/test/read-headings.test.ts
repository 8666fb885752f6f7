import { expect, test } from 'vitest';
import { openPackage } from '../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../test/support/documents/docx-builder.ts';
import * as word from '../../../test/support/documents/word-xml.ts';
import { readDocument } from '../src/document/read-document.ts';
import type { OutlineEntry } from '../src/document/tree.ts';
import { UnknownFeature } from '../src/unknown-feature.ts';

const { run } = word;
const heading = (content: string, properties = '', level = 0): string =>
  word.paragraph(content, `${properties}<w:outlineLvl w:val="${level}"/>`);
const numbering = word.lists([word.level(0, 'decimal', '%1.'), word.level(1, 'bullet', '–')]);

function entriesOf(input: DocxInput): readonly (OutlineEntry | undefined)[] {
  const { sections } = readDocument(openPackage(buildDocx({ ...word.document('', { numbering }), ...input })));
  return sections.flatMap(({ blocks }) =>
    blocks.map((block) => (block.kind === 'paragraph' ? block.outline : undefined)),
  );
}

const entry = { level: 0, hasLabel: false, tabLeft: undefined };

test.each<[string, string, OutlineEntry | undefined]>([
  ['none for text', paragraph('text'), undefined],
  ['none for a heading without text', heading(''), undefined],
  ['the level of its heading', heading(run('Terms'), '', 3), { ...entry, title: 'Terms', level: 3 }],
  ['single spaces', heading(run(' of  delivery ')), { ...entry, title: 'of delivery' }],
  ['a space for a line break', heading(run('a') + word.lineBreak + run('b')), { ...entry, title: 'a b' }],
  ['no capitals from formats', heading(run('Terms', '<w:caps/>')), { ...entry, title: 'Terms' }],
  ['no hidden text', heading(run('a') + run('b', '<w:vanish/>') + run('c')), { ...entry, title: 'abc' }],
  ['numbers', heading(run('Terms'), word.item(0)), { ...entry, title: '1. Terms', hasLabel: true }],
  ['no bullets', heading(run('Terms'), word.item(1)), { ...entry, title: 'Terms', hasLabel: true }],
  [
    'a tab at the indent',
    heading(word.tab + run('Terms'), '<w:ind w:left="400" w:hanging="100"/>'),
    { ...entry, title: 'Terms', tabLeft: 300 },
  ],
])('an entry of the outline has %s', (_, body, expected) => {
  expect(entriesOf({ body })).toEqual([expected]);
});

test.each<[string, DocxInput]>([
  ['a heading of spaces', { body: heading(run('  ')) }],
  ['a heading that begins with hidden text', { body: heading(run('a', '<w:vanish/>') + run('b')) }],
  ['a heading that begins with a tab', { body: heading(word.tab + run('Terms'), '<w:jc w:val="center"/>') }],
  ['a heading in a header, footer or note', { body: paragraph('text'), headers: [heading(run('Terms'))] }],
  ['a page break in a heading', { body: heading(run('a') + word.pageBreak + run('b')) }],
  ['a paragraph of hidden text', { body: word.paragraph(run('a', '<w:vanish/>')) }],
  ...[run('b', '<w:sz w:val="40"/>'), run(' '), word.tab].map((before): [string, DocxInput] => [
    'hidden text beside something other than words in its font',
    { body: word.paragraph(before + run('a', '<w:vanish/>')) },
  ]),
])('%s: left to LibreOffice', (reason, input) => {
  expect(() => entriesOf(input)).toThrow(new UnknownFeature(reason));
});
