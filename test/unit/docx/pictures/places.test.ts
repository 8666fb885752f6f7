import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { AssetsNeeded } from '../../../../src/worker/docx/core/render/assets.ts';
import { type DocxInput, footnoteReference, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { detailsOf, errorOf, fillXml, inspect, problems, render, rows, titled } from '../render/fill.ts';
import { base64, gif, jpeg, pictureRun, placeholderParts, png, svg, textBox } from './samples.ts';
import { picturesOf, shown } from './shown.ts';

beforeAll(loadSvgEngine);

const one = png({ width: 40, height: 20 });
const two = png({ width: 20, height: 40, grey: 10 });
const data = {
  p: base64(one),
  url: 'https://example.com',
  code: '4006381333931',
  list: [{ p: base64(two) }, { p: base64(one) }, { p: null }],
};

describe('a picture in the text', () => {
  it('keeps its bytes, whatever its format', () => {
    const pictures = [one, jpeg(), gif];
    const found = shown('{#list}{%.}{/list}', { list: pictures.map(base64) });
    expect(found.map(({ bytes }) => bytes)).toEqual(pictures);
    expect(found.map(({ contentType }) => contentType)).toEqual(['image/png', 'image/jpeg', 'image/gif']);
  });

  it('is stored once, however often it is shown', () => {
    const { docx } = render({ body: paragraph('{#list}{%p}{/list}'), headers: [paragraph('{%p}')] }, data);
    expect(docx.partNames.filter((name) => name.includes('/media/'))).toHaveLength(2);
    expect(picturesOf(docx).map(({ bytes }) => bytes)).toEqual([two, one]);
    expect(picturesOf(docx, 'word/header1.xml').map(({ bytes }) => bytes)).toEqual([one]);
  });

  it('becomes a PNG with 300 pixels per inch if it is an SVG', () => {
    const [picture] = shown('{%p}', { p: { data: base64(svg()), width: '2in' } });
    expect(picture?.contentType).toBe('image/png');
    expect([picture?.bytes.readUInt32BE(16), picture?.bytes.readUInt32BE(20)]).toEqual([600, 300]);
  });

  it('has the alternative text from the data or from the tag', () => {
    const alt = 'Our <logo> & "sign"';
    const [first, second] = shown('{%a}{%p | alt:"Ours"}', { a: { data: data.p, alt }, p: data.p });
    expect(first?.alt).toBe('Our &lt;logo&gt; &amp; &quot;sign&quot;');
    expect(second?.alt).toBe('Ours');
  });

  const nothing = { data: null, width: '3cm' };
  it.each([{ p: null }, { p: '' }, { p: false }, { p: nothing }, {}])('is left out for %j', (values) => {
    const { text, xml } = render('a{%p}b', values);
    expect(xml).not.toContain('drawing>');
    expect(text).toBe('ab');
  });

  it('is reported, rejected or highlighted like any value if it is missing', () => {
    expect(render('{%p}', {}).warnings).toMatchObject([{ code: 'missing_value', paths: ['data.p'] }]);
    expect(errorOf(() => render('{%p}', {}, { onMissing: 'error' })).details).toMatchObject([
      { path: 'data.p', message: 'The value of {%p} is missing.' },
    ]);
    const { text, xml } = render('a {%p} b', {}, { onMissing: 'highlight' });
    expect(text).toBe('a {%p} b');
    expect(xml).toContain('<w:highlight w:val="yellow"/>');
  });

  it('is first requested and then shown if it is an asset', () => {
    const values = { a: { asset: 'logo.png', width: '1cm' }, list: [{ asset: 'ast_1' }, { asset: 'logo.png' }] };
    const template = 'before {%a}{#list}{%.}{/list} after';
    let needed: unknown;
    try {
      render(template, values);
    } catch (error) {
      needed = error instanceof AssetsNeeded && error.names;
    }
    expect(needed).toEqual(['logo.png', 'ast_1']);
    const files = { 'logo.png': one, ast_1: two };
    const found = shown(template, values, { assets: new Map(Object.entries(files)) });
    expect(found.map(({ bytes }) => bytes)).toEqual([one, two, one]);
  });
});

describe('{%%picture}', () => {
  const centred = /<w:p><w:pPr>(?:(?!<\/w:pPr>).)*<w:jc w:val="center"\/>(?:(?!<\/w:pPr>).)*<\/w:pPr>/;

  it.each([
    ['a plain paragraph', paragraph('{%%p}')],
    ['a section in one paragraph', paragraph('{#p}{%%p}{/p}')],
    [
      'a paragraph with another alignment',
      `<w:p><w:pPr><w:spacing w:after="0"/><w:jc w:val="right"/><w:rPr><w:b/></w:rPr></w:pPr>${run('{%%p}')}</w:p>`,
    ],
    ['a paragraph without properties', `<w:p><w:pPr/>${run('{%%p}')}</w:p>`],
    ['a tag in pieces', paragraph(['{%', '%p', '}'])],
  ])('centres %s', async (_, body) => {
    const { docx, xml } = render({ body }, data);
    expect(xml).toMatch(centred);
    expect(xml.match(/<w:jc/g)).toHaveLength(1);
    expect(picturesOf(docx)).toHaveLength(1);
    expect(await problems({ body }, data)).toEqual([]);
  });
});

const everywhere: DocxInput = {
  ...placeholderParts,
  body:
    paragraph('{%p}{%qr url}{%barcode code "ean13"}') +
    paragraph('{%%p}') +
    table([['{#list}{%p}', '{%qr url}{/list}']]) +
    table(rows(';{|list}c', 'r;{%p}')) +
    paragraph('{#list}') +
    `<w:p>${pictureRun({ alt: '{%p}' })}${pictureRun({ alt: 'static' })}</w:p>` +
    paragraph('{/list}') +
    textBox(paragraph('{%p}')) +
    `<w:p>${run('a')}${footnoteReference(1)}</w:p>`,
  headers: [paragraph('{%p}')],
  footers: [`<w:p>${run('{%p}')}</w:p>`],
  footnotes: [paragraph('{%p}')],
};

it.each(['docx', 'pdf'] as const)('a document with pictures in every position is valid for %s', async (target) => {
  const { docx, warnings } = render(everywhere, data, { target });
  expect(warnings).toEqual([]);
  expect(await problems(everywhere, data, { target })).toEqual([]);
  const parts = ['document', 'header1', 'footer1', 'footnotes'].map((name) => `word/${name}.xml`);
  const all = parts.map((part) => picturesOf(docx, part));
  const ids = all.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(all.map((pictures) => pictures.length)).toEqual([17, 1, 1, 1]);
  for (const { bytes, contentType } of all.flat()) {
    expect(contentType).toBe('image/png');
    expect(bytes.length).toBeGreaterThan(60);
  }
});

describe('alternative texts with tags', () => {
  const withAlt = (alt: string, more: object = {}) => ({
    ...placeholderParts,
    body: `${paragraph('{name}')}<w:p>${pictureRun({ alt, ...more })}</w:p>`,
  });

  it('are tags of the template and cause no warning', () => {
    const report = inspect(withAlt('{%company.logo}'));
    expect(report.tags).toEqual(['company.logo', 'name']);
    expect(report.warnings).toEqual([]);
    expect(inspect(withAlt('A picture', { title: '{%company.logo}' })).tags).toContain('company.logo');
  });

  it('remove the placeholder if the picture is missing', () => {
    expect(fillXml(withAlt('{%p}'), { name: 'n', p: null })).not.toContain('w:drawing');
  });

  it.each([
    ['{%logo', 'the tag that starts with "{%logo" has no closing brace "}" in its paragraph', undefined],
    ['{%logo | uper}', 'the tag {%logo | uper} is not valid: there is no formatter "uper"', 'write upper'],
    [
      '{%barcode x &quot;ean31&quot;}',
      'the tag {%barcode x "ean31"} is not valid: there is no barcode "ean31"',
      'write "ean13"',
    ],
  ])('are rejected at upload with %s', (alt, message, hint) => {
    const details = detailsOf(withAlt(alt));
    const expected = { type: 'Message', part: 'body', message: `In the body: ${message}.` };
    expect(details).toMatchObject([hint === undefined ? expected : { ...expected, hint }]);
    expect(JSON.stringify(details)).not.toContain('u0002');
  });

  it('only cause a warning if they are not picture tags', () => {
    expect(inspect(withAlt('{logo}')).warnings).toMatchObject([{ code: 'tag_not_filled' }]);
    expect(inspect(withAlt('The logo of {name}')).warnings).toMatchObject([{ code: 'tag_not_filled' }]);
  });
});

it('a picture where pictures are not allowed is rejected at upload', () => {
  expect(detailsOf(titled('{%logo}', { body: paragraph('text') }))).toMatchObject([
    {
      message: 'In the document properties: the picture {%logo} is in a place where no picture can be shown.',
      tag: '{%logo}',
      part: 'document properties',
    },
  ]);
});

it('too many placeholders are rejected before they cost much', () => {
  const body = `<w:p>${pictureRun({ alt: '{%p}' }).repeat(20_001)}</w:p>`;
  expect(detailsOf({ ...placeholderParts, body })).toMatchObject([
    { message: expect.stringContaining('more than 20000 tags') },
  ]);
});

describe('a barcode in a picture', () => {
  /** Pixels in RGBA. */
  const [white, black, transparentWhite] = [0xffffffff, 0x000000ff, 0xffffff00];

  it.each([
    ['{%qr v}', 'https://example.com/', 12],
    ['{%barcode v "ean13"}', '4006381333931', 4],
    ['{%barcode v "code128" | width:"12cm"}', 'ABC-1234', 12],
    ['{%barcode v "datamatrix"}', 'ABC-1234', 4],
  ])('is white inside, and its outermost module shows the border of its table cell: %s', (tag, v, module) => {
    const [picture] = shown(tag, { v });
    const { width, height, data } = PNG.sync.read(picture?.bytes ?? Buffer.alloc(0));
    const [edge, inside] = [new Set<number>(), new Set<number>()];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const isEdge = Math.min(x, y, width - 1 - x, height - 1 - y) < module;
        (isEdge ? edge : inside).add(data.readUInt32BE(4 * (y * width + x)));
      }
    }
    expect([...edge]).toEqual([transparentWhite]);
    expect(inside).toEqual(new Set([white, black]));
  });

  const widthPx = (template: string) => shown(template, data)[0]?.bytes.readUInt32BE(16) ?? 0;

  it('has more pixels where it is larger, up to three times its own size', () => {
    const natural = widthPx('{%barcode code "ean13"}');
    expect(natural).toBeGreaterThan(400);
    expect(widthPx('{%barcode code "ean13" | width:"2cm"}')).toBe(natural);
    expect(widthPx('{%barcode code "ean13" | width:"8cm"}')).toBe(2 * natural);
    expect(widthPx('{%barcode code "ean13" | width:"50cm"}')).toBe(3 * natural);
  });
});
