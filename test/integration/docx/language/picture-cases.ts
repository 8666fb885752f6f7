import { paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { base64, pictureRun, placeholderParts, png, svg, textBox } from '../../../unit/docx/pictures/samples.ts';
import { successes } from './language-case.ts';

const logo = base64(png({ width: 40, height: 20 }));
const tall = base64(png({ width: 20, height: 40, grey: 10 }));
const drawings = (count: number) =>
  new RegExp(`^(?:(?!<w:drawing>).)*(?:<w:drawing>(?:(?!<w:drawing>).)*){${count}}$`, 's');
const extent = (cx: number, cy: number) => new RegExp(`<wp:extent cx="${cx}" cy="${cy}"/>`);
const placeholder = (alt: string) => `<w:p>${pictureRun({ alt })}</w:p>`;

export const pictureCases = successes([
  ['a picture in the text', 'a {%logo} b', { logo }, 'a  b', { markup: [drawings(1), extent(381_000, 190_500)] }],
  ['a data URL', '{%logo}x', { logo: `data:image/png;base64,${logo}` }, 'x', { markup: [drawings(1)] }],
  ['a drawing becomes pixels', '{%logo}x', { logo: base64(svg()) }, 'x', { markup: [drawings(1)] }],
  [
    'its size from the data, which wins over the tag',
    '{%logo | width:"1cm"}x',
    { logo: { data: logo, width: '2cm' } },
    'x',
    { markup: [extent(720_000, 360_000)] },
  ],
  [
    'a box that it fills',
    '{%logo | size:"2cm" | fit:"stretch"}x',
    { logo },
    'x',
    { markup: [extent(720_000, 720_000)] },
  ],
  ['nothing for null', 'a{%logo}b', { logo: null }, 'ab', { markup: [drawings(0)] }],
  ['a missing picture', 'a{%logo}b', {}, 'ab', { markup: [drawings(0)], warnings: ['missing_value'] }],
  [
    'the tag in yellow where the picture is missing',
    'a {%logo} b',
    {},
    'a {%logo} b',
    { options: { onMissing: 'highlight' }, markup: [/highlight/], warnings: ['missing_value'] },
  ],
  [
    'pictures in sections, each with its own number',
    { body: `${table([['{#items}{name}', '{%photo}{/items}']])}${paragraph('{#items}{%photo}{/items}x')}` },
    {
      items: [
        { name: 'A', photo: logo },
        { name: 'B', photo: tall },
      ],
    },
    ['A', '', 'B', '', 'x'],
    { markup: [drawings(4)] },
  ],
  [
    'a picture centred on its line',
    ['a', '{%%logo}', 'b'],
    { logo },
    ['a', '', 'b'],
    { markup: [/<w:jc w:val="center"\/>/] },
  ],
  [
    'in a header, a text box and a placeholder of a section',
    {
      body: `${textBox(paragraph('{%logo}box'))}${paragraph('{#items}')}${placeholder('{%photo}')}${paragraph('{/items}')}`,
      headers: [paragraph('{%logo}head')],
      ...placeholderParts,
    },
    { logo, items: [{ photo: logo }, { photo: tall }] },
    ['box'],
    { parts: { 'word/header1.xml': ['head'] } },
  ],
  [
    'a placeholder keeps its box',
    { body: placeholder('{%photo | fit:&quot;cover&quot;}') + paragraph('x'), ...placeholderParts },
    { photo: tall },
    ['', 'x'],
    { markup: [extent(1_800_000, 900_000), /<a:srcRect/] },
  ],
  [
    'codes of values',
    { body: paragraph('{%qr url}{%barcode code "EAN-13"}x') + table([['{#items}{%qr .}', 'y{/items}']]) + run('') },
    { url: 'https://example.com/?q=ä', code: '400638133393', items: ['1', '2'] },
    ['x', '', 'y', '', 'y'],
    { markup: [drawings(4)] },
  ],
  [
    'pictures in the columns of a table',
    {
      body: `${table([
        ['', '{|cols}{name}'],
        ['{#rows}{row}', '{%photo}{/rows}'],
      ])}<w:p/>`,
    },
    {
      cols: [
        { name: 'A', photo: logo },
        { name: 'B', photo: tall },
      ],
      rows: [{ row: 1 }, { row: 2 }],
    },
    ['', 'A', 'B', '1', '', '', '2', '', ''],
    { markup: [drawings(4)] },
  ],
]);
