import { describe, expect, it } from 'vitest';
import { AssetsNeeded } from '../../../../src/worker/docx/core/render/assets.ts';
import { paragraph, table } from '../../../support/documents/docx-builder.ts';
import { base64, jpeg, png } from '../pictures/samples.ts';
import { picturesOf, shown, sizes } from '../pictures/shown.ts';
import { errorOf, problems, render } from '../render/fill.ts';
import { outline } from './outline.ts';

const picture = png({ width: 96, height: 48 });
const url = `data:image/png;base64,${base64(picture)}`;
const formats = [
  ['HTML', '{~text}'],
  ['Markdown', '{~md:text}'],
] as const;

describe.each(formats)('pictures in %s', (name, tag) => {
  const img = (address: string) => (name === 'HTML' ? `<img src="${address}" alt="A">` : `![A](<${address}>)`);

  it('come from data: addresses', async () => {
    const found = shown(tag, { text: `a ${img(url)} b` });
    expect(found).toMatchObject([{ alt: 'A', bytes: picture, contentType: 'image/png' }]);
    expect(sizes(found)).toEqual(['2.54 x 1.27']);
    expect(
      await problems({ body: paragraph(tag) + paragraph(`x ${tag}`), headers: [paragraph(tag)] }, { text: img(url) }),
    ).toEqual([]);
  });

  it('come from the assets of the account', () => {
    const data = { text: `${img('asset:logo.png')} ${img('asset:my logo.jpg')}` };
    expect(() => render(tag, data)).toThrow(AssetsNeeded);
    const assets = new Map([
      ['logo.png', picture],
      ['my logo.jpg', jpeg()],
    ]);
    expect(shown(tag, data, { assets }).map(({ contentType }) => contentType)).toEqual(['image/png', 'image/jpeg']);
  });

  it('link to allowed addresses', async () => {
    const link = (href: string) => (name === 'HTML' ? `<a href="${href}">${img(url)}</a>` : `[${img(url)}](${href})`);
    const data = { text: link('https://e.example/') + link('javascript:x') };
    const { xml, part } = render(tag, data);
    const ids = [...xml.matchAll(/<a:hlinkClick [^>]*r:id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(1);
    expect(part('word/_rels/document.xml.rels')).toMatch(new RegExp(`Id="${ids[0]}"[^>]*Target="https://e.example/"`));
    expect(await problems(tag, data)).toEqual([]);
  });

  it.each([
    ['data:image/png;base64,%%%', 'which is not valid base64'],
    ['data:image/png;base64,AAAA', 'which is not a supported picture format'],
    ['data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>', 'outside'],
    ['asset:gone.png', 'which names an asset that does not exist'],
  ])('are refused with the tag: %s', (address, problem) => {
    const text = name === 'HTML' ? `<img src='${address}'>` : `![A](<${address.replace(/[<>]/g, '\\$&')}>)`;
    const error = errorOf(() => render(tag, { text }, { assets: new Map([['gone.png', null]]) }));
    expect(error.details).toMatchObject([{ type: 'Field', path: 'data.text' }]);
    expect(error.details?.[0]?.message).toContain(`The value of ${tag} has the picture "`);
    expect(error.details?.[0]?.message).toContain(problem);
  });

  it('are left out with a warning if they would have to be fetched', () => {
    const text = ['http://127.0.0.1/a.png', 'file:///etc/passwd', 'a.png', 'cid:1'].map(img).join(' ');
    const { xml, warnings } = render(tag, { text: `a${text}` });
    expect(xml).not.toContain('w:drawing');
    expect(warnings).toMatchObject([{ code: 'omitted_picture', paths: ['data.text'], count: 4 }]);
  });
});

describe('the size of a picture in HTML', () => {
  const wide = `data:image/png;base64,${base64(png({ width: 1920, height: 480 }))}`;
  it.each([
    ['width="48"', '1.27 x 0.64'],
    ['width="48" height="48"', '1.27 x 1.27'],
    ['style="width:5cm" width="48"', '5.00 x 2.50'],
    ['width="50%"', '7.96 x 3.98'],
    ['width="2000"', '15.92 x 7.96'],
    ['width="auto" height="-1"', '2.54 x 1.27'],
  ])('%s', (attributes, size) => {
    expect(sizes(shown('{~text}', { text: `<img src="${url}" ${attributes}>` }))).toEqual([size]);
  });

  it('is at most the width of the place that it is in', () => {
    const text = `<img src="${wide}"><ul><li><img src="${wide}"></ul><table><tr><td><img src="${wide}"><td>x</table>`;
    expect(sizes(shown('{~text}', { text }))).toEqual(['15.92 x 3.98', '14.65 x 3.66', '7.58 x 1.89']);
    const cell = { body: table([['{~text}', 'a {~text}', 'x']]), headers: [paragraph('{~text}')] };
    const { docx } = render(cell, { text: `<img src="${wide}">` });
    const [first = '', ...others] = sizes(picturesOf(docx));
    expect(others).toEqual([first]);
    expect(Number.parseFloat(first)).toBeLessThan(15);
    expect(sizes(picturesOf(docx, 'word/header1.xml'))).toEqual(['15.92 x 3.98']);
  });
});

it('prints the alternative text of pictures in text that holds none', () => {
  const title =
    '<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>{~text}</m:t></m:r></m:oMath></w:p>';
  expect(render({ body: title }, { text: `a <img src="${url}" alt="logo">` }).text).toContain('a logo');
});

it('writes no character of a reference that XML forbids', async () => {
  const text = `<img src="${url}" alt="a&#1;b&#xffff;&#12;"><pre>c&#12;d</pre>`;
  expect(shown('{~text}', { text })).toMatchObject([{ alt: 'a b ' }]);
  expect(render('{~text}', { text }).text).toContain('c d');
  expect(await problems('{~text}', { text })).toEqual([]);
});

describe('text from right to left', () => {
  it.each([
    ['<p dir="rtl">שלום</p>', '<p>[bidi]{rtl}שלום</p>'],
    ['<p dir="rtl">Word 7 <b>!</b></p>', '<p>[bidi]Word 7 {b bCs rtl}!</p>'],
    ['<p dir="auto">שלום</p><p dir="auto">hi</p>', '<p>[bidi]{rtl}שלום</p><p>hi</p>'],
    ['<div style="direction: rtl"><p>א</p><p dir="ltr">a</p></div>', '<p>[bidi]{rtl}א</p><p>a</p>'],
    ['a <span dir="rtl">א</span>', '<p>a {rtl}א</p>'],
    ['<p dir="rtl" style="text-align:left">א</p>', '<p>[bidi jc=right]{rtl}א</p>'],
    ['<p dir="rtl" style="text-align:start">א</p>', '<p>[bidi jc=left]{rtl}א</p>'],
    ['<ul dir="rtl"><li>א</ul>', '<p>[numPr(ilvl=0 numId=1) bidi]{rtl}א</p>'],
  ])('%s', (text, expected) => {
    expect(outline(render('{~text}', { text }).xml)).toBe(expected);
    expect(outline(render('{~md:text}', { text }).xml)).toBe(expected);
  });

  it('has tables from right to left', async () => {
    const text = '<table dir="rtl"><tr><td>א<td dir="ltr">a</table>';
    const { xml } = render('{~text}', { text });
    expect(xml).toContain('<w:tblPr><w:bidiVisual/>');
    expect(outline(xml)).toBe('<tbl><tr><tc><p>[bidi]{rtl}א</p></tc><tc><p>a</p></tc></tr></tbl><p></p>');
    expect(await problems('{~text}', { text })).toEqual([]);
  });
});

describe.each(formats)('lists in %s', (name, tag) => {
  const html = '<ol start="3"><li>a<ol start="7"><li>b</li></ol></li><li>c<ul><li>d</li></ul></li></ol>';
  const text = name === 'HTML' ? html : '3. a\n\n   7. b\n4. c\n   - d';

  it('keep the starts of inner lists', () => {
    const { xml, part } = render(tag, { text });
    expect(outline(xml).replaceAll('numPr(ilvl=', '(')).toBe(
      '<p>[(0 numId=1)]a</p><p>[(1 numId=2)]b</p><p>[(0 numId=1)]c</p><p>[(1 numId=3)]d</p>',
    );
    const starts = part('word/numbering.xml').match(/<w:lvlOverride w:ilvl="\d"><w:startOverride w:val="\d"\/>/g);
    expect(starts).toEqual([
      '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="3"/>',
      '<w:lvlOverride w:ilvl="1"><w:startOverride w:val="7"/>',
    ]);
  });

  it('start again for each item of a loop', () => {
    const lists = ['1. a\n2. b', '1. c'];
    const items = name === 'HTML' ? ['<ol><li>a<li>b</ol>', '<ol><li>c</ol>'] : lists;
    const { xml } = render(`{#items}${tag.replace('text', '.')}{/items}`, { items });
    expect([...xml.matchAll(/w:numId w:val="(\d+)"/g)].map(([, id]) => id)).toEqual(['1', '1', '2']);
  });
});

it.each(formats)('tables in %s keep their place in cells of tables', async (name, tag) => {
  const text = name === 'HTML' ? '<table><tr><td>a<table><tr><td>b</table></table>' : '| a |\n| - |\n| b |';
  const input = {
    body: table([
      [tag, 'x'],
      ['{#items}y', `${tag}{/items}`],
    ]),
  };
  expect(await problems(input, { text, items: [1, 2] })).toEqual([]);
  expect(render(input, { text, items: [1, 2] }).xml.match(/<w:tbl>/g)?.length).toBe(name === 'HTML' ? 7 : 4);
});

it.each(formats)('links in %s have only allowed schemes', (name, tag) => {
  const link = (address: string) => (name === 'HTML' ? `<a href="${address}">x</a>` : `[x](${address})`);
  const allowed = ['https://e.example/?a=1', 'http://e.example/', 'mailto:a@e.example'];
  const refused = [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'vbscript:x',
    '/x',
    '#x',
  ];
  const { xml, part } = render(tag, { text: [...allowed, ...refused].map(link).join(' ') });
  const relationships = part('word/_rels/document.xml.rels');
  const targets = [...relationships.matchAll(/hyperlink" Target="([^"]*)"/g)].map(([, target]) => target);
  expect(targets).toEqual(allowed);
  expect(xml.match(/>x</g)).toHaveLength(allowed.length + refused.length);
});

it('code takes the styles of the template', () => {
  const style = (type: string, id: string, name: string) =>
    `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const styles = `${style('paragraph', 'HTMLVorformatiert', 'HTML Preformatted')}${style('character', 'HTMLCode', 'HTML Code')}`;
  const input = {
    body: paragraph('{~md:text}'),
    parts: { 'word/styles.xml': `<?xml version="1.0"?><w:styles ${w}>${styles}</w:styles>` },
  };
  expect(outline(render(input, { text: 'a `b`\n\n```\nc\nd\n```' }).xml)).toBe(
    '<p>a {rStyle=HTMLCode}b</p><p>[pStyle=HTMLVorformatiert]c⏎d</p>',
  );
});
