import { describe, expect, it } from 'vitest';
import {
  contentControl,
  type DocxInput,
  footnoteReference,
  paragraph,
  run,
  table,
  textBox,
} from '../../../support/documents/docx-builder.ts';
import { fill, fillText, fillXml, problems, rows, textOf } from '../render/fill.ts';

const conditional = paragraph('before') + paragraph('{#x}') + paragraph('{.}') + paragraph('{/x}') + paragraph('after');
const inline = paragraph('before') + paragraph(['{#', 'x}{.}', '{/x}']) + paragraph('after');
const list = table(rows('head;head', '{#x}{.};row{/x}', 'foot;foot')) + paragraph('end');
const groups =
  table(
    rows(
      '{#groups}{name};',
      '{#items}{.};{$number}{/items}',
      '{#note}note;{note}{/note}',
      'sum;{items | count}{/groups}',
    ),
  ) + paragraph('end');

const main = 'word/document.xml';
/** The content in each place of a document, with the part that contains it. */
const places: readonly (readonly [string, (content: string) => DocxInput, part: string])[] = [
  ['the body', (content) => ({ body: content }), main],
  ['a header', (content) => ({ headers: [content] }), 'word/header1.xml'],
  ['a footer', (content) => ({ footers: [content] }), 'word/footer1.xml'],
  ['a cell', (content) => ({ body: table([[content, 'x']]) }), main],
  ['a nested table', (content) => ({ body: table([[table([[content, 'x']]) + paragraph('y'), 'z']]) }), main],
  ['a content control', (content) => ({ body: contentControl(content) }), main],
  ['a text box', (content) => ({ body: textBox(content) }), main],
  [
    'a footnote',
    (content) => ({ body: `<w:p>${footnoteReference(1)}</w:p>`, footnotes: [content] }),
    'word/footnotes.xml',
  ],
];

const twoGroups = [
  { name: 'A', items: ['a', 'b'], note: 'n' },
  { name: 'B', items: [] },
];
const contents: readonly (readonly [string, string, unknown, string])[] = [
  ['paragraphs of a false condition', conditional, {}, 'before/after'],
  ['paragraphs of a true condition', conditional, { x: ['y'] }, 'before/y/after'],
  ['a paragraph of a false condition', inline, { x: false }, 'before/after'],
  ['a paragraph of an empty list', inline, { x: [] }, 'before/after'],
  ['a paragraph of a list', inline, { x: [1, 2] }, 'before/12/after'],
  ['rows of an empty list', list, { x: [] }, '|head/|head/|foot/|foot/end'],
  ['rows of a list', list, { x: [1, 2] }, '|head/|head/|1/|row/|2/|row/|foot/|foot/end'],
  ['rows within rows', groups, { groups: twoGroups }, '|A/|/|a/|1/|b/|2/|note/|n/|sum/|2/|B/|/|sum/|0/end'],
  ['no groups of rows', groups, {}, 'end'],
];

describe.each(places)('sections in %s', (place, input, part) => {
  it.each(contents)('leave nothing behind: %s', (_, content, data, expected) => {
    const text = textOf(fill(input(content), data), part).replaceAll('\n', '/');
    expect(text.split(expected)).toHaveLength(place === 'a text box' ? 3 : 2);
    expect(text).not.toMatch(/before\/\/|\/\/after/);
  });

  it('leave a valid document', async () => {
    for (const data of [{}, { x: [1, 2], groups: twoGroups }])
      expect(await problems(input(conditional + inline + list + groups), data)).toEqual([]);
  });
});

describe('the content around sections', () => {
  it('keeps the only paragraph of a cell, with its formatting', () => {
    const centred = `<w:p><w:pPr><w:jc w:val="center"/></w:pPr>${run('{#x}yes{/x}')}</w:p>`;
    const xml = fillXml({ body: table([[centred, 'b']]) + paragraph('{y}') }, {});
    expect(xml).toMatch(/<w:tc>(?:(?!<\/w:tc>).)*<w:jc w:val="center"\/>/);
  });

  it('keeps a paragraph at the end of a cell if the one after its table is removed', () => {
    const cell = table([['{#rows}{a}', '{/rows}']]) + paragraph('{#x}') + paragraph('gone') + paragraph('{/x}');
    const body = table([[cell, 'kept']]) + paragraph('after');
    expect(fillXml({ body }, { rows: [{ a: 1 }] })).toContain('</w:tbl><w:p/></w:tc>');
    expect(fillXml({ body }, { rows: [] })).toContain('</w:tcPr><w:p/></w:tc>');
  });

  it('has a paragraph in an empty content control between paragraphs, and nothing in one between rows', () => {
    const block = contentControl(paragraph('{#x}') + paragraph('gone') + paragraph('{/x}')) + paragraph('after');
    expect(fillXml({ body: block }, {})).toContain('<w:sdtContent><w:p/></w:sdtContent>');
    const row = /<w:tr>.*<\/w:tr>/.exec(table([['{#x}a', 'b{/x}']]))?.[0] ?? '';
    const body = table([['head', 'head']]).replace('</w:tbl>', `${contentControl(row)}</w:tbl>`) + paragraph('after');
    expect(fillXml({ body }, {})).toContain('<w:sdtContent></w:sdtContent>');
    expect(fillText({ body }, { x: [1, 2] }).replaceAll('\n', '/')).toBe('|head/|head/|a/|b/|a/|b/after');
  });

  it('loses a row whose only cell shows nothing, and a table with only such rows', async () => {
    const box = table([['{#vip}Welcome{/vip}'], ['{#x}{.}{/x}']]);
    expect(fillXml({ body: box + paragraph('end') }, {})).not.toContain('<w:tbl>');
    expect(fillText({ body: box + paragraph('end') }, { x: [1] })).toBe('|1\nend');
    expect(await problems({ body: box + paragraph('end') }, { x: [1] })).toEqual([]);
    expect(await problems({ body: table([[box + paragraph('{#x}{.}{/x}'), 'b']]) }, {})).toEqual([]);
    const two = table([['{#x}a{/x}', '{#x}b{/x}']]);
    expect(fillText({ body: two }, {}).replaceAll('\n', '/')).toBe('|/|');
  });

  it('keeps text beside a section in its paragraph, and the paragraphs of values', () => {
    expect(fillText({ body: paragraph('a {#x}b{/x}') + paragraph('{y}') + paragraph('z') }, {})).toBe('a \n\nz');
  });

  it('keeps the bookmarks of dropped paragraphs', async () => {
    const body =
      `<w:p><w:bookmarkStart w:id="1" w:name="here"/>${run('{#x}a{/x}')}</w:p>` +
      `<w:p>${run('{y}')}<w:bookmarkEnd w:id="1"/></w:p>`;
    expect(fillXml({ body }, {})).toContain('w:name="here"');
    expect(await problems({ body }, {})).toEqual([]);
  });

  it('keeps the page setup of a paragraph that shows nothing', () => {
    const body = `<w:p><w:pPr><w:sectPr><w:pgSz w:w="9000" w:h="9000"/></w:sectPr></w:pPr>${run('{#x}a{/x}')}</w:p>${paragraph('b')}`;
    expect(fillXml({ body }, {})).toContain('w:w="9000"');
  });
});
