import { describe, expect, it } from 'vitest';
import { type DocxInput, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { fillText, fillXml, problems, render, types } from '../render/fill.ts';

const people = { people: [1, 2, 3].map((n) => ({ name: `N${n}`, city: `C${n}` })) };

describe('a section between the middles of two paragraphs', () => {
  const inner = `${paragraph('Hi {#people}{name}')}${paragraph('street')}${paragraph('{city}{/people} end')}`;
  const expected = 'Hi N1\nstreet\nC1\nN2\nstreet\nC2\nN3\nstreet\nC3 end';

  it.each([
    ['the body', inner],
    ['a cell', table([[inner]])],
    [
      'a text box',
      `<w:p><w:r><w:pict><v:textbox><w:txbxContent>${inner}</w:txbxContent></v:textbox></w:pict></w:r></w:p>`,
    ],
    ['two sections at once', inner.replace('{#people}', '{#on}{#people}').replace('{/people}', '{/people}{/on}')],
  ])('starts a paragraph for each item in %s', async (_, body) => {
    const data = { ...people, on: true };
    expect(fillText({ body }, data)).toContain(expected);
    expect(await problems({ body }, data)).toEqual([]);
  });

  it('keeps the formatting of the first paragraph and its run', () => {
    const first = `<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>{#people}{name}</w:t></w:r></w:p>`;
    const xml = fillXml({ body: first + paragraph('{city}{/people}') }, people);
    const start = '<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t';
    expect(xml.split(start)).toHaveLength(4);
    expect(fillText({ body: paragraph('{#people}x') + paragraph('{name}y{/people}z') }, {})).toBe('z');
  });
});

const numbered = (text: string, list = 1, level = 0) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
const level = (n: number, format: string) =>
  `<w:lvl w:ilvl="${n}"><w:start w:val="${n + 1}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="%${n + 1}."/></w:lvl>`;
const numbering =
  '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
  `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal')}${level(1, 'lowerLetter')}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet')}</w:abstractNum>` +
  '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>';

const withLists = (body: string): DocxInput => ({
  body,
  parts: { 'word/numbering.xml': numbering },
  contentTypes: { 'word/numbering.xml': types.word('numbering') },
  rels: [{ id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' }],
});

describe('a numbered list in a section', () => {
  const open = paragraph('{#people}');
  const close = paragraph('{/people}');
  const heading = paragraph('{name}');
  const listsOf = (body: string) => {
    const { xml, part } = render(withLists(body), people);
    const ids = Array.from(xml.matchAll(/<w:numId w:val="(\d+)"/g), ([, id]) => id).join(' ');
    return { ids, part: part('word/numbering.xml') };
  };

  it.each([
    ['begins again below a heading', open + heading + numbered('a') + numbered('b') + close, '1 1 3 3 4 4'],
    ['begins again without a heading', open + numbered('a') + numbered('{city}') + close, '1 1 3 3 4 4'],
    ['with inner levels begins again', open + heading + numbered('a') + numbered('b', 1, 1) + close, '1 1 3 3 4 4'],
    [
      'begins again around a list of its own',
      open + heading + paragraph('{#people}') + numbered('{name}') + close + close,
      '1 1 1 3 3 3 4 4 4',
    ],
    ['goes on if it numbers the items', open + numbered('{name}') + close, '1 1 1'],
    [
      'goes on if it numbers the items with their text',
      open + numbered('{name}') + numbered('x', 1, 1) + heading + close,
      '1 1 1 1 1 1',
    ],
    ['goes on if it begins before', numbered('x') + open + heading + numbered('a') + close, '1 1 1 1'],
    ['goes on with bullets', open + heading + numbered('a', 2) + numbered('b', 2) + close, '2 2 2 2 2 2'],
    [
      'goes on if its section says so',
      paragraph('{#people | numbering:"continue"}') + heading + numbered('a') + close,
      '1 1 1',
    ],
    [
      'begins again if its section says so',
      paragraph('{#people | numbering:"restart"}') + numbered('{name}') + close,
      '1 3 4',
    ],
  ])('%s', async (_, body, expected) => {
    expect(listsOf(body).ids).toBe(expected);
    expect(await problems(withLists(body), people)).toEqual([]);
  });

  it('begins again at the first number of each level', () => {
    const { part } = listsOf(open + heading + numbered('a') + numbered('b') + close);
    expect(part).toContain(
      '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>',
    );
    expect(part).toContain('<w:lvlOverride w:ilvl="1"><w:startOverride w:val="2"/>');
  });
});

describe('a bookmark in a section', () => {
  const marked = (text: string) =>
    `<w:p><w:bookmarkStart w:id="5" w:name="here"/>${run(text)}<w:bookmarkEnd w:id="5"/></w:p>`;
  const field = (code: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const links = `<w:p><w:hyperlink w:anchor="here">${run('{name}')}</w:hyperlink>${field('PAGEREF here \\h')}<w:fldSimple w:instr=" REF here "/></w:p>`;
  const all = ['here', 'here_2', 'here_3'];
  const each = (content: string) => paragraph('{#people}') + content + paragraph('{/people}');
  const found = (xml: string, pattern: RegExp) => Array.from(xml.matchAll(pattern), ([, name]) => name);

  it.each([
    ['of the same item', each(links + marked('{name}'))],
    ['of the same item in another section before', each(links) + each(marked('{name}'))],
    ['of the same item in another order', each(links) + each(marked('{name}')).replace('#people', '#people | reverse')],
    ['within rows', table([[`${paragraph('{#people}')}${links}`, `${marked('x')}${paragraph('{/people}')}`]])],
  ])('is the target of references %s', async (what, body) => {
    const xml = fillXml({ body }, people);
    expect(found(xml, /<w:bookmarkStart [^>]*w:name="([^"]*)"/g)).toEqual(all);
    const expected = what.endsWith('order') ? all.toReversed() : all;
    expect(found(xml, /w:anchor="([^"]*)"/g)).toEqual(expected);
    expect(found(xml, /PAGEREF (\S+)/g)).toEqual(expected);
    expect(found(xml, / REF (\S+)/g)).toEqual(expected);
    expect(await problems({ body }, people)).toEqual([]);
  });

  it('is the first one for references outside', () => {
    expect(found(fillXml({ body: links + each(marked('{name}')) }, people), /w:anchor="([^"]*)"/g)).toEqual(['here']);
  });
});
