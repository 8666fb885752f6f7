import { type DocxInput, footnoteReference, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { successes } from './language-case.ts';

const link = (text: string) => `<w:hyperlink r:id="rIdL">${run(text)}</w:hyperlink>`;
const linked = (body: string, target: string): DocxInput => ({
  body,
  rels: [{ id: 'rIdL', type: 'hyperlink', target, external: true }],
});
const items = [
  { id: 1, name: 'Pen & Ink' },
  { id: 2, name: 'Pad' },
];

export const richCases = successes([
  [
    'HTML as paragraphs, lists and tables',
    ['before', '{~html}', 'after'],
    {
      html: '<h1>T</h1><p>a <b>b</b><br>c</p><ul><li>x<ol><li>y</li></ol></li></ul><table><tr><th>p</th><td>q</td></tr></table>',
    },
    ['before', 'T', 'a b\vc', 'x', 'y', 'p', 'q', 'after'],
    { markup: [/<w:b\/>/, /<w:numPr>/, /<w:tbl>/] },
  ],
  ['HTML within text stays in its paragraph', 'a {~html} b', { html: '<p>x</p><ul><li>y</li></ul>' }, 'a x\v• y b'],
  ['HTML that prints nothing leaves no line', ['a', '{~html}', 'b'], { html: '<p> </p><!-- x -->' }, ['a', 'b']],
  [
    'HTML that is hostile',
    '{~html}',
    {
      html: '<script>alert(1)</script><p onclick="x()">y<img src="http://127.0.0.1/x"><a href="javascript:x()">z</a></p></w:p><w:altChunk/>',
    },
    'yz',
    { links: [] },
  ],
  ['HTML with forgotten ends', '{~html}', { html: '<p>a <b>b<p>c</i> &lt;d&gt; &copy;' }, ['a b', 'c <d> ©']],
  [
    'colours, sizes and highlights',
    '{~h}',
    { h: '<span style="color:#c00;font-size:14pt">x</span><mark>y</mark>' },
    'xy',
    { markup: [/<w:color w:val="CC0000"\/>/, /<w:sz w:val="28"\/>/] },
  ],
  [
    'HTML of each item, in cells and between sections',
    { body: `${table([['{#items}{~.}', 'c{/items}']])}${paragraph('{#items}{~.}{/items}')}` },
    { items: ['<b>A</b>', '<p>B</p><p>C</p>', ''] },
    ['A', 'c', 'B', 'C', 'c', '', 'c', 'A', 'B', 'C'],
  ],
  [
    'HTML in a header and a note',
    {
      body: `<w:p>${run('{a}')}${footnoteReference(1)}</w:p>`,
      headers: [paragraph('{~h}')],
      footnotes: [paragraph('{~h}')],
    },
    { a: 'x', h: '<p>1</p><ul><li>2</li></ul>' },
    'x',
    { parts: { 'word/header1.xml': ['1', '2'] } },
  ],
  [
    'a text that is a link',
    'see {name | link:url}!',
    { name: 'us', url: 'https://e.example/?a=1&b=2' },
    'see us!',
    { links: ['https://e.example/?a=1&b=2'] },
  ],
  ['no link without an address', '{name | link:url}', { name: 'us', url: null }, 'us', { links: [] }],
  [
    'a mail address',
    '{name | link:("mailto:" + mail)}',
    { name: 'Ada', mail: 'ada@example.com' },
    'Ada',
    { links: ['mailto:ada@example.com'] },
  ],
  [
    'an address with tags, for each item its own',
    linked(
      `<w:p>${run('{#items}')}${link('{name}')}${run(' {/items}')}</w:p>`,
      'https://e.example/%7Bid%7D?q=%7Bname%7D',
    ),
    { items },
    'Pen & Ink Pad ',
    { links: ['https://e.example/1?q=Pen%20%26%20Ink', 'https://e.example/2?q=Pad'] },
  ],
  [
    'a link of the template itself',
    linked(`<w:p>${link('Dear {name}')}</w:p>`, 'https://e.example/'),
    { name: 'Ada' },
    'Dear Ada',
    { links: ['https://e.example/'] },
  ],
  [
    'a link inside of a link goes',
    linked(`<w:p>${link('{name | link:url}')}</w:p>`, 'https://e.example/'),
    { name: 'Ada', url: 'https://other.example/' },
    'Ada',
    { links: ['https://e.example/'] },
  ],
  [
    'links of HTML',
    '{~h}',
    { h: '<a href="https://h.example/">x</a> <a href="file:///etc/passwd">y</a>' },
    'x y',
    { links: ['https://h.example/'] },
  ],
]);
