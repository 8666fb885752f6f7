import { expect, test } from 'vitest';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../../test/support/documents/docx-builder.ts';
import * as word from '../../../../test/support/documents/word-xml.ts';
import { inspectDocument } from '../../src/document/inspect-document.ts';
import { readDocument } from '../../src/document/read-document.ts';
import { UnknownFeature } from '../../src/unknown-feature.ts';

const run = (format: string, content = '<w:t>x</w:t>'): string => word.run(content, format);
const styled = (properties: string, content = run('')): string => word.paragraph(content, properties);
const character = (type: string): string => run('', `<w:fldChar w:fldCharType="${type}"/>`);
const code = (text: string): string => run('', `<w:instrText>${text}</w:instrText>`);
const field = (content: string): string =>
  character('begin') + content + character('separate') + run('') + character('end');
const table = (properties: string, cell: string): string =>
  word.table([4000], [word.row([word.cell(4000, cell)])], word.autoWidth + properties);
const inspect = (input: DocxInput): readonly string[] => inspectDocument(openPackage(buildDocx(input)), 20);

test.each<readonly [string, DocxInput, readonly string[]]>([
  ['a known document', { body: paragraph('known') + table('', paragraph('cell')) }, []],
  [
    'properties of one paragraph and its runs',
    { body: styled('<w:framePr/><w:bidi/>', run('<w:outline/><w:emboss/>')) + styled('', run('<w:shadow/>')) },
    ['w:framePr', 'w:bidi', 'w:outline', 'w:emboss', 'w:shadow'],
  ],
  [
    'content of one run, once each',
    { body: styled('', run('', '<w:sym/><w:ptab/><w:sym/>')) + styled('', run('', '<w:pict/>')) },
    ['w:sym', 'w:ptab', 'w:pict'],
  ],
  ['blocks', { body: `<w:customXml/>${paragraph('known')}<w:altChunk/>` }, ['w:customXml', 'w:altChunk']],
  [
    'a table and what is in its cells',
    { body: table('<w:tblpPr/>', styled('<w:framePr/>') + table('<w:bidiVisual/>', styled('<w:bidi/>'))) },
    ['w:tblpPr', 'w:framePr', 'w:bidiVisual', 'w:bidi'],
  ],
  [
    'a table in too many tables, and what is behind it',
    { body: table('', table('', table('', paragraph('deep')) + paragraph(''))) + styled('<w:framePr/>') },
    ['a table in a table in a table', 'w:framePr'],
  ],
  [
    'a content control and what is in it',
    { body: `<w:sdt><w:sdtPr><w:repeatingSection/></w:sdtPr><w:sdtContent><w:altChunk/></w:sdtContent></w:sdt>` },
    ['w:repeatingSection of a content control', 'w:altChunk'],
  ],
  [
    'a field in a field',
    { body: styled('', field(code('IF ') + field(code('DATE')))) },
    ['a field in a field', 'field IF'],
  ],
  [
    'sections with their headers and footers',
    { body: '', headers: [styled('<w:framePr/>')], footers: [styled('<w:bidi/>')], section: '<w:lnNumType/><w:pgSz/>' },
    ['w:framePr', 'w:bidi', 'w:lnNumType of a section', 'w:pgSz w:w=""'],
  ],
  [
    'settings, before the text',
    word.document('<w:altChunk/>', { settings: '<w:x/><w:compat><w:y/></w:compat>' }),
    ['w:x', 'w:y', 'w:altChunk'],
  ],
  [
    'styles',
    {
      body: styled('<w:pStyle w:val="Odd"/>') + styled('<w:pStyle w:val="Odd"/>', run('<w:shadow/>')),
      parts: {
        'word/styles.xml':
          `<w:styles xmlns:w="${word.namespace}"><w:style w:type="paragraph" w:default="1" w:styleId="Odd"><w:name w:val="Odd"/>` +
          '<w:pPr><w:framePr/></w:pPr><w:rPr><w:outline/></w:rPr></w:style></w:styles>',
      },
    },
    ['a document without default formats', 'w:framePr', 'w:outline', 'w:shadow'],
  ],
])('an inspection lists %s', (_what, input, reasons) => {
  expect(inspect(input)).toEqual(reasons);
});

test('an inspection lists 20 reasons at most', () => {
  const reasons = inspect({ body: Array.from({ length: 30 }, (_, index) => `<w:unknown${index}/>`).join('') });
  expect(reasons).toEqual(Array.from({ length: 20 }, (_, index) => `w:unknown${index}`));
});

test('an inspection leaves nothing behind: a conversion still ends with the first unknown feature', () => {
  const docx = buildDocx({ body: styled('<w:framePr/><w:bidi/>'), headers: [styled('<w:mirrorIndents/>')] });
  inspectDocument(openPackage(docx), 20);
  expect(() => readDocument(openPackage(docx))).toThrow(new UnknownFeature('w:framePr'));
});
