import { expect, test } from 'vitest';
import { readDocument } from '../../../../src/worker/pdf/direct/document/read-document.ts';
import type { OutlineEntry } from '../../../../src/worker/pdf/direct/document/tree.ts';
import { UnknownFeature } from '../../../../src/worker/pdf/direct/unknown-feature.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const heading = (content: string, properties = '', level = 0): string =>
  `<w:p><w:pPr>${properties}<w:outlineLvl w:val="${level}"/></w:pPr>${content}</w:p>`;
const level = (index: number, format: string, label: string): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/><w:lvlJc w:val="left"/></w:lvl>`;
const numbering: DocxInput = {
  parts: {
    'word/numbering.xml': `<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'bullet', '–')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
  },
  rels: [{ id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' }],
};
const inList = (depth: number): string => `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr>`;

function entriesOf(input: DocxInput): readonly (OutlineEntry | undefined)[] {
  const { sections } = readDocument(buildDocx({ ...numbering, ...input }));
  return sections.flatMap(({ blocks }) =>
    blocks.map((block) => (block.kind === 'paragraph' ? block.outline : undefined)),
  );
}

const entry = { level: 0, hasLabel: false, tabLeft: undefined };

test.each<[string, string, OutlineEntry | undefined]>([
  ['text is none', paragraph('text'), undefined],
  ['a heading without text is none', heading(''), undefined],
  ['its level', heading(run('Terms'), '', 3), { ...entry, title: 'Terms', level: 3 }],
  ['single spaces', heading(run(' of  delivery ')), { ...entry, title: 'of delivery' }],
  ['a line break is a space', heading(`${run('a')}<w:r><w:br/></w:r>${run('b')}`), { ...entry, title: 'a b' }],
  ['no capitals of formats', heading(run('Terms', '<w:caps/>')), { ...entry, title: 'Terms' }],
  ['hidden text', heading(run('a') + run('b', '<w:vanish/>') + run('c')), { ...entry, title: 'abc' }],
  ['numbers', heading(run('Terms'), inList(0)), { ...entry, title: '1. Terms', hasLabel: true }],
  ['no bullets', heading(run('Terms'), inList(1)), { ...entry, title: 'Terms', hasLabel: true }],
  [
    'a tab at the indent',
    heading(`<w:r><w:tab/></w:r>${run('Terms')}`, '<w:ind w:left="400" w:hanging="100"/>'),
    { ...entry, title: 'Terms', tabLeft: 300 },
  ],
])('an entry of the outline: %s', (_, body, expected) => {
  expect(entriesOf({ body })).toEqual([expected]);
});

test.each<[string, DocxInput]>([
  ['a heading of spaces', { body: heading(run('  ')) }],
  ['a heading that begins with hidden text', { body: heading(run('a', '<w:vanish/>') + run('b')) }],
  [
    'a heading that begins with a tab',
    { body: heading(`<w:r><w:tab/></w:r>${run('Terms')}`, '<w:jc w:val="center"/>') },
  ],
  ['a heading in a header, footer or note', { body: paragraph('text'), headers: [heading(run('Terms'))] }],
  ['a page break in a heading', { body: heading(`${run('a')}<w:r><w:br w:type="page"/></w:r>${run('b')}`) }],
  ['a paragraph of hidden text', { body: `<w:p>${run('a', '<w:vanish/>')}</w:p>` }],
  ...[run('b', '<w:sz w:val="40"/>'), run(' '), '<w:r><w:tab/></w:r>'].map((before): [string, DocxInput] => [
    'hidden text beside something else than words in its font',
    { body: `<w:p>${before}${run('a', '<w:vanish/>')}</w:p>` },
  ]),
])('%s: left to LibreOffice', (reason, input) => {
  expect(() => entriesOf(input)).toThrow(new UnknownFeature(reason));
});
