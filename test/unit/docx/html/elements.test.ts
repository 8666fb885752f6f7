import { describe, expect, it } from 'vitest';
import { paragraph } from '../../../support/documents/docx-builder.ts';
import { render } from '../render/fill.ts';
import { outline } from './outline.ts';

const shown = (html: string, template = '{~html}') => outline(render(template, { html }).xml);

describe('HTML alone in its paragraph', () => {
  it.each([
    ['<p>one</p><p>two</p>', '<p>one</p><p>two</p>'],
    ['plain &amp; simple', '<p>plain &amp; simple</p>'],
    ['a < b &lt; c', '<p>a &lt; b &lt; c</p>'],
    ['<p> much \n\t space <b> here </b> </p>', '<p>much space {b bCs}here</p>'],
    ['<p>a<br>b<br></p>', '<p>a⏎b</p>'],
    ['<p>one</p><p><br></p><p>two</p>', '<p>one</p><p></p><p>two</p>'],
    ['<p></p><p>x</p>', '<p>x</p>'],
    ['<b>b</b><strong>s</strong><i>i</i><em>e</em>', '<p>{b bCs}b{b bCs}s{i iCs}i{i iCs}e</p>'],
    ['<u>u</u><s>s</s><del>d</del>', '<p>{u=single}u{strike}s{strike}d</p>'],
    ['H<sub>2</sub>O<sup>+</sup>', '<p>H{vertAlign=subscript}2O{vertAlign=superscript}+</p>'],
    ['<b>b<i>bi</b>i</i>', '<p>{b bCs}b{b bCs i iCs}bi{i iCs}i</p>'],
    ['<span style="color:#f00">r</span>', '<p>{color=FF0000}r</p>'],
    ['<span style="COLOR: rgb(0, 128, 255) !important">r</span>', '<p>{color=0080FF}r</p>'],
    ['<span style="color:hsl(120, 100%, 25%)">g</span>', '<p>{color=008000}g</p>'],
    ['<span style="color:rebeccapurple">p</span>', '<p>{color=663399}p</p>'],
    ['<span style="color:transparent;color2:red">t</span>', '<p>t</p>'],
    ['<span style="background-color:yellow">y</span>', '<p>{shd=clear,auto,FFFF00}y</p>'],
    ['<span style="font-size:18pt">a</span>', '<p>{sz=36 szCs=36}a</p>'],
    ['<span style="font-size:16px">a</span>', '<p>{sz=24 szCs=24}a</p>'],
    ['<span style="font-size:2em">a</span>', '<p>{sz=44 szCs=44}a</p>'],
    ['<span style="font-size:200%"><span style="font-size:50%">a</span></span>', '<p>{sz=22 szCs=22}a</p>'],
    ['<span style="font-size:1e9px">a</span>', '<p>a</p>'],
    ['<span style="font-size:999999pt">a</span>', '<p>{sz=3276 szCs=3276}a</p>'],
    [
      '<i style="font-weight:700;text-decoration:underline line-through">a</i>',
      '<p>{b bCs i iCs strike u=single}a</p>',
    ],
    ['<b>a<span style="font-weight:normal">b</span></b>', '<p>{b bCs}a{b=0 bCs=0}b</p>'],
    ['<p style="text-align:center">a</p>', '<p>[jc=center]a</p>'],
    ['<div align="right"><p>a</p></div>', '<p>[jc=right]a</p>'],
    ['<code>x</code>', '<p>{rFonts=Courier New,Courier New,Courier New}x</p>'],
    ['<pre>a\n  b</pre>', '<p>{rFonts=Courier New,Courier New,Courier New}a⏎  b</p>'],
    ['a<hr>b', '<p>a</p><p>[pBdr(bottom=single,6,1,auto)]</p><p>b</p>'],
    ['<blockquote>a</blockquote>', '<p>[ind=720]a</p>'],
    ['<unknown>text</unknown> <button>kept</button>', '<p>text kept</p>'],
    ['a<script>alert(1)</script><style>p{}</style><iframe src="http://127.0.0.1/">x</iframe>b', '<p>ab</p>'],
    ['a<img src="file:///etc/passwd" onerror="x"><svg><text>s</text></svg><object data="x">o</object>b', '<p>ab</p>'],
    ['<!-- <b>comment</b> --><![CDATA[x]]>a<?php echo 1 ?>', '<p>a</p>'],
    ['<html><head><title>t</title></head><body><p>a</body></html>', '<p>a</p>'],
    [']]>&lt;w:p/&gt;<w:p>x</w:p>&#x3c;/w:t>', '<p>]]&gt;&lt;p/&gt;x&lt;/t&gt;</p>'],
    ['&nbsp;&euro;&#128512;&unknown;', '<p>\u00a0€😀&amp;unknown;</p>'],
    ["<p title=\"it's\" onclick='x'>a", '<p>a</p>'],
  ])('%s', (html, expected) => {
    expect(shown(html)).toBe(expected);
  });

  it('formats headings directly if the template has no heading styles', () => {
    expect(shown('<h1>a</h1><h6>b</h6>')).toBe(
      '<p>[keepNext spacing=240,80 outlineLvl=0]{b bCs sz=44 szCs=44}a</p>' +
        '<p>[keepNext spacing=240,80 outlineLvl=5]{b bCs sz=22 szCs=22}b</p>',
    );
  });

  it.each([
    ['', ''],
    ['  \n ', ''],
    ['<p></p><script>x</script>', ''],
    [null, ''],
    [undefined, ''],
    [7, '<p>7</p>'],
    [true, '<p>true</p>'],
  ])('%j becomes %j between other paragraphs', (html, expected) => {
    const body = paragraph('a') + paragraph('{~html}') + paragraph('b');
    expect(outline(render({ body }, { html }).xml)).toBe(`<p>a</p>${expected}<p>b</p>`);
  });
});

describe('lists', () => {
  const list = (html: string) => shown(html).replaceAll('numPr(ilvl=', '(');

  it.each([
    ['<ul><li>a<li>b</ul>', '<p>[(0 numId=1)]a</p><p>[(0 numId=1)]b</p>'],
    ['<ul><li>a<ul><li>b</li></ul></li></ul>', '<p>[(0 numId=1)]a</p><p>[(1 numId=1)]b</p>'],
    ['<ol><li>a</ol><ol><li>b</ol>', '<p>[(0 numId=1)]a</p><p>[(0 numId=2)]b</p>'],
    ['<ul><li><p>a</p><p>more</p></li></ul>', '<p>[(0 numId=1)]a</p><p>[(0 numId=0) ind=720,0]more</p>'],
    ['<ul><li></li></ul>', '<p>[(0 numId=1)]</p>'],
    ['<li>alone', '<p>[(0 numId=1)]alone</p>'],
  ])('%s', (html, expected) => {
    expect(list(html)).toBe(expected);
  });

  it('are numbered separately, each from its start and in its own number format', () => {
    const html = '<ol start="5"><li>a</ol><ol type="i"><li>b</ol><ol><li>c</ol><ul><li>d</ul><ul><li>e</ul>';
    const numbering = render('{~html}', { html }).part('word/numbering.xml');
    expect([...numbering.matchAll(/<w:startOverride w:val="(\d+)"\/>/g)].map(([, first]) => first)).toEqual([
      '5',
      '1',
      '1',
    ]);
    expect(numbering.match(/<w:num w:numId="\d+">/g)).toHaveLength(4);
    expect(numbering).toContain('<w:numFmt w:val="lowerRoman"/>');
    expect(numbering.lastIndexOf('</w:abstractNum>')).toBeLessThan(numbering.indexOf('<w:num '));
  });

  it('nest at most nine levels deep', () => {
    const deep = `${'<ul><li>x'.repeat(20)}`;
    expect(Math.max(...[...list(deep).matchAll(/\[\((\d+)/g)].map(([, level]) => Number(level)))).toBe(8);
  });
});

describe('tables', () => {
  it.each([
    ['<table><tr><td>a<td>b</table>', '<tbl><tr><tc><p>a</p></tc><tc><p>b</p></tc></tr></tbl>'],
    [
      '<table><thead><tr><th>h</th></tr></thead><tr><td>a</td></tr></table>',
      '<tbl><tr>[tblHeader]<tc><p>{b bCs}h</p></tc></tr><tr><tc><p>a</p></tc></tr></tbl>',
    ],
    [
      '<table><tr><td colspan="2">a<td rowspan="2">b<tr><td>c<td>d</table>',
      '<tbl><tr><tc>[gridSpan=2]<p>a</p></tc><tc>[vMerge=restart]<p>b</p></tc></tr>' +
        '<tr><tc><p>c</p></tc><tc><p>d</p></tc><tc>[vMerge=continue]<p></p></tc></tr></tbl>',
    ],
    [
      '<table><tr><td>a<td>b<td rowspan="0">c<tr><td>d</table>',
      '<tbl><tr><tc><p>a</p></tc><tc><p>b</p></tc><tc>[vMerge=restart]<p>c</p></tc></tr>' +
        '<tr><tc><p>d</p></tc><tc><p></p></tc><tc>[vMerge=continue]<p></p></tc></tr></tbl>',
    ],
    ['<table><tr><td></td></tr></table>', '<tbl><tr><tc><p></p></tc></tr></tbl>'],
    [
      '<table><caption>cap</caption><tr><td bgcolor="#eee">a</table>',
      '<p>cap</p><tbl><tr><tc>[shd=clear,auto,EEEEEE]<p>a</p></tc></tr></tbl>',
    ],
    [
      '<table><tr><td>a<table><tr><td>in</table></table>',
      '<tbl><tr><tc><p>a</p><tbl><tr><tc><p>in</p></tc></tr></tbl><p></p></tc></tr></tbl>',
    ],
  ])('%s', (html, expected) => {
    expect(shown(html)).toBe(`${expected}${expected.endsWith('</tbl>') ? '<p></p>' : ''}`);
  });

  it('are dropped if they have no cells', () => {
    expect(shown('<p>a</p><table></table><table><tr></tr></table><p>b</p>')).toBe('<p>a</p><p>b</p>');
  });

  it('are kept apart, so that Word does not join them', () => {
    expect(shown('<table><tr><td>a</table><table><tr><td>b</table><p>c')).toBe(
      '<tbl><tr><tc><p>a</p></tc></tr></tbl><p></p><tbl><tr><tc><p>b</p></tc></tr></tbl><p>c</p>',
    );
  });
});

describe('links', () => {
  it.each([
    ['<a href="https://example.com/?a=1&amp;b=2">x</a>', 'https://example.com/?a=1&b=2'],
    ['<a href=" HTTP://EXAMPLE.com ">x</a>', 'http://example.com/'],
    ['<a href="mailto:ada@example.com">x</a>', 'mailto:ada@example.com'],
  ])('%s', (html, url) => {
    const filled = render('{~html}', { html });
    expect(outline(filled.xml)).toBe('<p><a>{rStyle=Hyperlink}x</a></p>');
    expect(filled.part('word/_rels/document.xml.rels')).toContain(`Target="${url.replaceAll('&', '&amp;')}"`);
  });

  // The tests of links in templates cover which addresses are web addresses.
  const refused = [
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' &#1;javascript:alert(1)',
    '/relative',
    '#anchor',
    '',
  ];
  it.each(refused)('lose the address %j and keep their text', (href) => {
    const filled = render('{~html}', { html: `<a href="${href}">x</a>` });
    expect(outline(filled.xml)).toBe('<p>x</p>');
    expect(filled.part('word/_rels/document.xml.rels')).not.toContain('hyperlink');
  });
});

it.each([
  ['a {~html} b', 'x', '<p>a x b</p>'],
  ['a {~html} b', '<b>x</b>', '<p>a {b bCs}x b</p>'],
  ['a {~html} b', '<p>x</p><p>y</p>', '<p>a x⏎y b</p>'],
  ['a {~html} b', '<ul><li>x<li>y</ul>', '<p>a • x⏎• y b</p>'],
  ['a {~html} b', '<ol start=3><li>x<li>y</ol>', '<p>a 3. x⏎4. y b</p>'],
  ['a {~html} b', '<table><tr><td>x<td>y<tr><td>z</table>', '<p>a x⇥y⏎z⇥ b</p>'],
  ['a {~html} b', '', '<p>a  b</p>'],
  ['{#items}{~.}; {/items}', '', '<p>{i iCs}1; {i iCs}2; </p>'],
])('HTML within other text: %s with %j', (template, html, expected) => {
  const items = ['<i>1</i>', '<p><i>2</i></p>'];
  expect(outline(render(template, { html, items }).xml)).toBe(expected);
});
