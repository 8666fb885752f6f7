import { describe, expect, it } from 'vitest';
import {
  contentControl,
  type DocxInput,
  paragraph,
  run,
  table,
  textBox,
} from '../../../support/documents/docx-builder.ts';
import { errorOf, problems, render, types } from '../render/fill.ts';
import { outline } from './outline.ts';

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const rich =
  '<h1>Title</h1><p>Text <b>bold</b> <a href="https://example.com/">link</a></p><ul><li>one<ol><li>two</li></ol></li></ul>' +
  '<table><thead><tr><th colspan="2">h</th></tr></thead><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>';
const grid = '<table><tr><td>x</td></tr></table>';

/** A template with these styles and one list definition. */
function styled(list: string, number: number, ...more: readonly string[]): DocxInput {
  const normal = '<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>';
  const numbering = `${list}<w:num w:numId="${number}"><w:abstractNumId w:val="4"/></w:num><w:numIdMacAtCleanup w:val="1"/>`;
  return {
    body: paragraph('{~html}') + paragraph(''),
    parts: {
      'word/styles.xml': `<?xml version="1.0"?><w:styles ${w}>${normal}${more.join('')}</w:styles>`,
      'word/numbering.xml': `<?xml version="1.0"?><w:numbering ${w}>${numbering}</w:numbering>`,
    },
    contentTypes: { 'word/numbering.xml': types.word('numbering') },
    rels: [{ id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' }],
  };
}

const style = (type: string, id: string, name: string, properties = '') =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${properties}</w:style>`;

const none = '{~none}';
const inserted = `<w:ins w:id="1" w:author="A" w:date="2026-01-01T00:00:00Z">${run('{~rich}')}</w:ins>`;
const bookmark = (content: string) =>
  `<w:p><w:bookmarkStart w:id="0" w:name="b"/>${run(content)}<w:bookmarkEnd w:id="0"/></w:p>`;
const noted = `<w:p>${run('x')}<w:r><w:footnoteReference w:id="1"/></w:r></w:p>`;
const pageEnd = `<w:p><w:pPr><w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:pPr>${run('{~rich}')}</w:p>`;
const gone = paragraph('{#gone}') + paragraph('{~rich}') + paragraph('{/gone}');

it.each<[string, DocxInput]>([
  ['body', { body: paragraph('{~rich}') }],
  ['end of the body after a table', { body: table([['a', 'b']]) + paragraph('{~grid}') }],
  ['between tables', { body: table([['a']]) + paragraph('{~grid}') + table([['b']]) }],
  ['nothing between tables', { body: table([['a']]) + paragraph(none) + table([['b']]) }],
  [
    'cells',
    {
      body: table([
        ['{~rich}', '{~grid}'],
        [none, none + none],
      ]),
    },
  ],
  ['rows of a list', { body: table([['{#items}{~.}', '{n}{/items}']]) }],
  ['paragraphs of a list', { body: paragraph('{#items}') + paragraph('{~.}') + paragraph('{/items}') }],
  ['lists of nothing in a cell', { body: table([[gone]]) }],
  ['sections within its paragraph', { body: table([['{#items}{~.}{/items}', '{#gone}{~.}{/gone}']]) }],
  ['a choice within its paragraph', { body: paragraph('{#gone}{~rich}{/gone}{^gone}{~grid}{/gone}') }],
  ['headers and footers', { headers: [paragraph('{~rich}')], footers: [paragraph('{~grid}'), paragraph(none)] }],
  ['sections in a header', { headers: [paragraph('{#gone}{~rich}{/gone}')] }],
  ['footnotes', { body: noted, footnotes: [paragraph('{~rich}')] }],
  [
    'text boxes',
    { body: textBox(paragraph('{~rich}')) + textBox(paragraph('{~grid}')).replaceAll('id="1"', 'id="2"') },
  ],
  ['a text box of nothing', { body: textBox(paragraph(none)) }],
  ['content controls', { body: ['{~rich}', '{~grid}', none].map((text) => contentControl(paragraph(text))).join('') }],
  ['controls within a paragraph', { body: `<w:p>${contentControl(run('{~rich}'))}</w:p>` }],
  ['revisions', { body: `<w:p>${inserted}</w:p>` }],
  ['bookmarks', { body: bookmark('{~rich}') }],
  ['a bookmark of nothing', { body: bookmark(none) }],
  ['text', { body: paragraph('a {~rich} b {~grid} {~none}') }],
  ['the end of a page section', { body: pageEnd + paragraph('x') }],
  ['links beside it', { body: paragraph('{~rich}'), headers: [paragraph('x {name | link:url} {~rich}')] }],
])('documents with HTML follow the rules of the file format: %s', async (_place, input) => {
  const data = { rich, grid, none: '', items: [rich, grid, ''], n: 1, name: 'n', url: 'https://example.com/' };
  expect(await problems({ body: paragraph('x'), ...input }, data)).toEqual([]);
});

describe('HTML takes the look of the template', () => {
  it('continues the numbering of the template', async () => {
    const list =
      '<w:abstractNum w:abstractNumId="4"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/>' +
      '<w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1)"/><w:lvlJc w:val="left"/></w:lvl></w:abstractNum>';
    const input = styled(
      list,
      7,
      style('paragraph', 'Nummern', 'List Number', '<w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr>'),
      style('paragraph', 'Absatz', 'List Paragraph'),
    );
    const data = { html: '<ol><li>a</ol><ol><li>b</ol><ul><li>c</ul>' };
    const { xml, part } = render(input, data);
    expect(outline(xml)).toContain(
      '<p>[pStyle=Nummern numPr(ilvl=0 numId=8)]a</p><p>[pStyle=Nummern numPr(ilvl=0 numId=9)]b</p>' +
        '<p>[pStyle=Absatz numPr(ilvl=0 numId=10)]c</p>',
    );
    expect(part('word/numbering.xml')).toContain('<w:num w:numId="8"><w:abstractNumId w:val="4"/>');
    expect(await problems(input, data)).toEqual([]);
  });

  it('finds styles by their names in any language', () => {
    const level = (ilvl: number, left: number) =>
      `<w:lvl w:ilvl="${ilvl}"><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/><w:pPr><w:ind w:left="${left}"/></w:pPr></w:lvl>`;
    const input = styled(
      `<w:abstractNum w:abstractNumId="4">${level(0, 300)}${level(1, 600)}</w:abstractNum>`,
      3,
      style('paragraph', 'berschrift1', 'heading 1'),
      style('paragraph', 'Zitat', 'Quote'),
      style('character', 'Verweis', 'Hyperlink'),
      style('table', 'Tabelle', 'Table Grid'),
      style('paragraph', 'Punkte', 'List Bullet', '<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>'),
    );
    const html = `<h1>a</h1><h3>b</h3><blockquote>c</blockquote><a href="https://e.example/">d</a><ul><li><p>e<p>f<ul><li>g<ul><li>h</ul></ul></ul>${grid}`;
    const { xml } = render(input, { html });
    expect(outline(xml)).toContain(
      '<p>[pStyle=berschrift1]a</p><p>[pStyle=berschrift1]b</p><p>[pStyle=Zitat]c</p><p><a>{rStyle=Verweis}d</a></p>' +
        '<p>[pStyle=Punkte]e</p><p>[pStyle=Punkte numPr(ilvl=0 numId=0) ind=300,0]f</p>' +
        '<p>[pStyle=Punkte numPr(ilvl=1 numId=3)]g</p><p>[numPr(ilvl=2 numId=4)]h</p><tbl>',
    );
    expect(xml).toContain('<w:tblStyle w:val="Tabelle"/>');
    expect(xml).not.toContain('tblBorders');
  });

  it('keeps the formatting of the tag and of its paragraph, in the order that the schema requires', () => {
    const look =
      '<w:rPr><w:rFonts w:ascii="Arial"/><w:color w:val="00FF00"/><w:sz w:val="18"/><w:lang w:val="de"/></w:rPr>';
    const body = `<w:p><w:pPr><w:pageBreakBefore/><w:spacing w:after="60"/><w:jc w:val="both"/></w:pPr><w:r>${look}<w:t>{~html}</w:t></w:r></w:p>`;
    const html = '<p>a <b>b</b></p><p><span style="color:red;font-size:2em">c</span></p>';
    expect(outline(render({ body }, { html }).xml)).toBe(
      '<p>[pageBreakBefore spacing=60 jc=both]{rFonts=Arial color=00FF00 sz=18 lang=de}a ' +
        '{rFonts=Arial b bCs color=00FF00 sz=18 lang=de}b</p>' +
        '<p>[spacing=60 jc=both]{rFonts=Arial color=FF0000 sz=36 szCs=36 lang=de}c</p>',
    );
  });
});

it.each([
  ['{~html}', '<p>{highlight=yellow}{~html}</p>'],
  ['a {~html}', '<p>a {highlight=yellow}{~html}</p>'],
])('missing HTML is highlighted and reported: %s', (template, expected) => {
  const { xml, warnings } = render(template, {}, { onMissing: 'highlight' });
  expect(outline(xml)).toBe(expected);
  expect(warnings).toMatchObject([{ code: 'missing_value', paths: ['data.html'] }]);
  const error = errorOf(() => render(template, {}, { onMissing: 'error' }));
  expect(error.details).toMatchObject([{ path: 'data.html', message: 'The value of {~html} is missing.' }]);
});

it.each([
  ['a list', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>', '[numPr(ilvl=0 numId=7)]', ''],
  ['a list style', '<w:pStyle w:val="Punkte"/>', '[pStyle=Punkte]', ''],
  [
    'a heading',
    '<w:pStyle w:val="Titel"/><w:outlineLvl w:val="0"/>',
    '[pStyle=Titel outlineLvl=0]',
    '[pStyle=Titel outlineLvl=0]',
  ],
])('HTML in %s that ends with a table leaves nothing of it below', (_, properties, first, inCell) => {
  const list =
    '<w:abstractNum w:abstractNumId="4"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>';
  const numbered = '<w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr>';
  const input = styled(
    list,
    7,
    style('paragraph', 'Punkte', 'Points', numbered),
    style('paragraph', 'Titel', 'heading 1'),
  );
  const body = `<w:p><w:pPr>${properties}</w:pPr>${run('{~html}')}</w:p>`;
  const { xml } = render({ ...input, body }, { html: `<p>a</p>${grid}` });
  expect(outline(xml)).toBe(`<p>${first}a</p><tbl><tr><tc><p>${inCell}x</p></tc></tr></tbl><p></p>`);
});
