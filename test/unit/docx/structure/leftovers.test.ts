import { describe, expect, it } from 'vitest';
import { prepareTemplate, renderTemplate } from '../../../../src/worker/docx/render-template.ts';
import {
  buildDocx,
  type DocxInput,
  footnoteReference,
  paragraph,
  run,
  table,
} from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';
import { fill, textOf } from '../render/fill.ts';

async function problems(input: DocxInput, data: unknown): Promise<string[]> {
  const template = buildDocx(input);
  const { file } = renderTemplate(prepareTemplate(template, 'docx'), Buffer.from(JSON.stringify(data)));
  return addedProblems(template, file);
}

const conditional = paragraph('before') + paragraph('{#x}') + paragraph('{.}') + paragraph('{/x}') + paragraph('after');
const inline = paragraph('before') + paragraph(['{#', 'x}{.}', '{/x}']) + paragraph('after');
const rows = table([
  ['head', 'head'],
  ['{#x}{.}', 'row{/x}'],
  ['foot', 'foot'],
]);
const groups =
  table([
    ['{#groups}{name}', ''],
    ['{#items}{.}', '{$number}{/items}'],
    ['{#note}note', '{note}{/note}'],
    ['sum', '{items | count}{/groups}'],
  ]) + paragraph('end');

const shape = (content: string) =>
  '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="1" name="b"/>' +
  `<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:spPr/><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic>` +
  '</wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape id="s1"><v:textbox><w:txbxContent>' +
  `${content}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
const control = (content: string) => `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

/** The content in every place of a document, with the function that reads it there. */
const places: readonly (readonly [string, (content: string) => DocxInput, string])[] = [
  ['the body', (content) => ({ body: content }), 'word/document.xml'],
  ['a header', (content) => ({ body: paragraph('x'), headers: [content] }), 'word/header1.xml'],
  ['a footer', (content) => ({ body: paragraph('x'), footers: [content] }), 'word/footer1.xml'],
  ['a cell', (content) => ({ body: table([[content, 'x']]) }), 'word/document.xml'],
  [
    'a nested table',
    (content) => ({ body: table([[table([[content, 'x']]) + paragraph('y'), 'z']]) }),
    'word/document.xml',
  ],
  ['a content control', (content) => ({ body: control(content) }), 'word/document.xml'],
  ['a text box', (content) => ({ body: shape(content) }), 'word/document.xml'],
  [
    'a footnote',
    (content) => ({ body: `<w:p>${footnoteReference(1)}</w:p>`, footnotes: [content] }),
    'word/footnotes.xml',
  ],
];

const contents: readonly (readonly [string, string, unknown, string])[] = [
  ['paragraphs of a false condition', conditional, {}, 'before/after'],
  ['paragraphs of a true condition', conditional, { x: ['y'] }, 'before/y/after'],
  ['a paragraph of a false condition', inline, { x: false }, 'before/after'],
  ['a paragraph of an empty list', inline, { x: [] }, 'before/after'],
  ['a paragraph of a list', inline, { x: [1, 2] }, 'before/12/after'],
  ['rows of an empty list', rows + paragraph('end'), { x: [] }, '|head/|head/|foot/|foot/end'],
  ['rows of a list', rows + paragraph('end'), { x: [1, 2] }, '|head/|head/|1/|row/|2/|row/|foot/|foot/end'],
  [
    'rows within rows',
    groups,
    {
      groups: [
        { name: 'A', items: ['a', 'b'], note: 'n' },
        { name: 'B', items: [] },
      ],
    },
    '|A/|/|a/|1/|b/|2/|note/|n/|sum/|2/|B/|/|sum/|0/end',
  ],
  ['no groups of rows', groups, {}, 'end'],
];

describe.each(places)('in %s', (_, input, part) => {
  it.each(contents)('%s leave nothing behind', async (_, content, data, expected) => {
    const text = textOf(fill(input(content), data), part).replaceAll('\n', '/');
    expect(text.split(expected)).toHaveLength(input('').body?.includes('mc:Choice') ? 3 : 2);
    expect(text).not.toMatch(/before\/\/|\/\/after/);
    expect(await problems(input(content), data)).toEqual([]);
  });
});

describe('what sections leave', () => {
  it('keeps the paragraph of a cell, with its formatting, when it is the only one', () => {
    const centred = `<w:p><w:pPr><w:jc w:val="center"/></w:pPr>${run('{#x}yes{/x}')}</w:p>`;
    const xml = fill({ body: table([[centred, 'b']]) + paragraph('{y}') }, {}).readText('word/document.xml');
    expect(xml).toMatch(/<w:tc>(?:(?!<\/w:tc>).)*<w:jc w:val="center"\/>/);
  });

  it('drops a row whose only cell shows nothing, and a table of such rows', async () => {
    const box = table([['{#vip}Welcome{/vip}'], ['{#x}{.}{/x}']]);
    expect(fill({ body: box + paragraph('end') }, {}).readText('word/document.xml')).not.toContain('<w:tbl>');
    expect(textOf(fill({ body: box + paragraph('end') }, { x: [1] }))).toBe('|1\nend');
    expect(await problems({ body: box + paragraph('end') }, { x: [1] })).toEqual([]);
    expect(await problems({ body: table([[box + paragraph('{#x}{.}{/x}'), 'b']]) }, {})).toEqual([]);
    const two = table([['{#x}a{/x}', '{#x}b{/x}']]);
    expect(textOf(fill({ body: two }, {})).replaceAll('\n', '/')).toBe('|/|');
  });

  it('keeps text beside a section in its paragraph, and paragraphs of values', () => {
    expect(textOf(fill({ body: paragraph('a {#x}b{/x}') + paragraph('{y}') + paragraph('z') }, {}))).toBe('a \n\nz');
  });

  it('keeps bookmarks of dropped paragraphs', async () => {
    const body =
      `<w:p><w:bookmarkStart w:id="1" w:name="here"/>${run('{#x}a{/x}')}</w:p>` +
      `<w:p>${run('{y}')}<w:bookmarkEnd w:id="1"/></w:p>`;
    expect(fill({ body }, {}).readText('word/document.xml')).toContain('w:name="here"');
    expect(await problems({ body }, {})).toEqual([]);
  });

  it('keeps the page setup of a paragraph that shows nothing', () => {
    const body = `<w:p><w:pPr><w:sectPr><w:pgSz w:w="9000" w:h="9000"/></w:sectPr></w:pPr>${run('{#x}a{/x}')}</w:p>${paragraph('b')}`;
    expect(fill({ body }, {}).readText('word/document.xml')).toContain('w:w="9000"');
  });
});
