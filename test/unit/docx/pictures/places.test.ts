import { beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { AssetsNeeded } from '../../../../src/worker/docx/core/render/assets.ts';
import { inspectTemplate } from '../../../../src/worker/docx/inspect/inspect-template.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput, paragraph, run, table } from '../../../support/documents/docx-builder.ts';
import { addedProblems } from '../../../support/documents/ooxml-check.ts';
import { errorOf, textOf } from '../render/fill.ts';
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
    const { file } = render({ body: paragraph('{#list}{%p}{/list}'), headers: [paragraph('{%p}')] }, data);
    const docx = openPackage(file);
    expect(docx.partNames.filter((name) => name.includes('/media/'))).toHaveLength(2);
    expect(picturesOf(docx).map(({ bytes }) => bytes)).toEqual([two, one]);
    expect(picturesOf(docx, 'word/header1.xml').map(({ bytes }) => bytes)).toEqual([one]);
  });

  it('in SVG becomes a PNG with 300 pixels per inch', () => {
    const [picture] = shown('{%p}', { p: { data: base64(svg()), width: '2in' } });
    expect(picture?.contentType).toBe('image/png');
    expect([picture?.bytes.readUInt32BE(16), picture?.bytes.readUInt32BE(20)]).toEqual([600, 300]);
  });

  it('has the alternative text of the data, or of the tag', () => {
    const alt = 'Our <logo> & "sign"';
    const [first, second] = shown('{%a}{%p | alt:"Ours"}', { a: { data: data.p, alt }, p: data.p });
    expect(first?.alt).toBe('Our &lt;logo&gt; &amp; &quot;sign&quot;');
    expect(second?.alt).toBe('Ours');
  });

  it('leaves the text around it', () => {
    const { file } = render('before {%p} after', data);
    expect(textOf(openPackage(file))).toBe('before  after');
  });

  it.each([
    ['null', { p: null }],
    ['the empty text', { p: '' }],
    ['false', { p: false }],
    ['an object without a picture', { p: { data: null, width: '3cm' } }],
    ['nothing', {}],
  ])('is left out for %s', (_, values) => {
    const { file } = render('a{%p}b', values);
    expect(openPackage(file).readText('word/document.xml')).not.toContain('drawing>');
    expect(textOf(openPackage(file))).toBe('ab');
  });

  it('that is missing is reported, rejected or highlighted like any value', () => {
    expect(render('{%p}', {}).warnings).toMatchObject([{ code: 'missing_value', paths: ['data.p'] }]);
    expect(errorOf(() => render('{%p}', {}, { onMissing: 'error' })).details).toMatchObject([
      { path: 'data.p', message: 'The value of {%p} is missing.' },
    ]);
    const { file } = render('a {%p} b', {}, { onMissing: 'highlight' });
    expect(textOf(openPackage(file))).toBe('a {%p} b');
    expect(openPackage(file).readText('word/document.xml')).toContain('<w:highlight w:val="yellow"/>');
  });

  it('from an asset is requested first, then shown', () => {
    const values = { a: { asset: 'logo.png', width: '1cm' }, list: [{ asset: 'ast_1' }, { asset: 'logo.png' }] };
    const render = (assets?: ReadonlyMap<string, Uint8Array>) =>
      shown('{%a}{#list}{%.}{/list}', values, assets === undefined ? {} : { assets });
    expect(render).toThrow(AssetsNeeded);
    try {
      render();
    } catch (error) {
      expect(error instanceof AssetsNeeded && error.names).toEqual(['logo.png', 'ast_1']);
    }
    const found = render(
      new Map([
        ['logo.png', one],
        ['ast_1', two],
      ]),
    );
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
    const { file } = render({ body }, data);
    const xml = openPackage(file).readText('word/document.xml') ?? '';
    expect(xml).toMatch(centred);
    expect(xml.match(/<w:jc/g)).toHaveLength(1);
    expect(picturesOf(openPackage(file))).toHaveLength(1);
    expect(await addedProblems(buildDocx({ body }), file)).toEqual([]);
  });
});

const everywhere: DocxInput = {
  ...placeholderParts,
  body:
    paragraph('{%p}{%qr url}{%barcode code "ean13"}') +
    paragraph('{%%p}') +
    table([['{#list}{%p}', '{%qr url}{/list}']]) +
    paragraph('{#list}') +
    `<w:p>${pictureRun({ alt: '{%p}' })}${pictureRun({ alt: 'static' })}</w:p>` +
    paragraph('{/list}') +
    textBox(paragraph('{%p}')) +
    `<w:p>${run('a')}<w:r><w:footnoteReference w:id="1"/></w:r></w:p>`,
  headers: [paragraph('{%p}')],
  footers: [`<w:p>${run('{%p}')}</w:p>`],
  footnotes: [paragraph('{%p}')],
};

describe('a document with pictures in every place', () => {
  it.each(['docx', 'pdf'] as const)('is sound for %s', async (target) => {
    const { file, warnings } = render(everywhere, data, { target });
    expect(warnings).toEqual([]);
    expect(await addedProblems(buildDocx(everywhere), file)).toEqual([]);
    const docx = openPackage(file);
    const all = ['document', 'header1', 'footer1', 'footnotes'].map((part) => picturesOf(docx, `word/${part}.xml`));
    expect(all.map((pictures) => pictures.length)).toEqual([15, 1, 1, 1]);
    for (const { bytes, contentType } of all.flat()) {
      expect(contentType).toBe('image/png');
      expect(bytes.length).toBeGreaterThan(60);
    }
  });

  it('gives every picture a unique id', () => {
    const docx = openPackage(render(everywhere, data).file);
    const xml = ['document', 'header1', 'footer1', 'footnotes']
      .map((part) => docx.readText(`word/${part}.xml`))
      .join('');
    const ids = [...xml.matchAll(/<wp:docPr[^>]*? id="(\d+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('alternative texts with tags', () => {
  const withAlt = (alt: string, more: object = {}) => ({
    ...placeholderParts,
    body: `${paragraph('{name}')}<w:p>${pictureRun({ alt, ...more })}</w:p>`,
  });
  const inspect = (input: DocxInput) => inspectTemplate(buildDocx(input));

  it('are tags of the template, and cause no warning', () => {
    const report = inspect(withAlt('{%company.logo}'));
    expect(report.tags).toEqual(['company.logo', 'name']);
    expect(report.warnings).toEqual([]);
    expect(inspect(withAlt('A picture', { title: '{%company.logo}' })).tags).toContain('company.logo');
  });

  it('are enough to make a template', () => {
    const body = `<w:p>${pictureRun({ alt: '{%p}' })}</w:p>`;
    expect(shown({ ...placeholderParts, body }, data)).toHaveLength(1);
  });

  it('remove the placeholder if the picture is missing', () => {
    const { file } = render(withAlt('{%p}'), { name: 'n', p: null });
    expect(openPackage(file).readText('word/document.xml')).not.toContain('w:drawing');
  });

  it.each([
    ['{%logo', 'the tag that starts with "{%logo" has no closing brace "}" in its paragraph', undefined],
    ['{%logo | uper}', 'the tag {%logo | uper} is not valid: there is no formatter "uper"', 'write upper'],
    [
      '{%barcode x &quot;ean31&quot;}',
      'the tag {%barcode x "ean31"} is not valid: there is no barcode "ean31"',
      'write "ean13"',
    ],
  ])('%s is rejected at upload', (alt, message, hint) => {
    const error = errorOf(() => inspect(withAlt(alt)));
    expect(error.details).toMatchObject([{ type: 'Message', part: 'body', message: `In the body: ${message}.` }]);
    expect(error.details).toMatchObject([hint === undefined ? {} : { hint }]);
    expect(JSON.stringify(error.details)).not.toContain('u0002');
  });

  it('that are not picture tags only cause a warning', () => {
    expect(inspect(withAlt('{logo}')).warnings).toMatchObject([{ code: 'tag_not_filled' }]);
    expect(inspect(withAlt('The logo of {name}')).warnings).toMatchObject([{ code: 'tag_not_filled' }]);
  });
});

describe('a picture where none is allowed', () => {
  const core =
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{%logo}</dc:title></cp:coreProperties>';
  it('is rejected at upload', () => {
    const input: DocxInput = {
      body: paragraph('text'),
      parts: { 'docProps/core.xml': core },
      contentTypes: { 'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml' },
    };
    expect(errorOf(() => inspectTemplate(buildDocx(input))).details).toMatchObject([
      {
        message: 'In the document properties: the picture {%logo} is in a place where no picture can be shown.',
        tag: '{%logo}',
        part: 'document properties',
      },
    ]);
  });
});

describe('more placeholders than the tag limit', () => {
  it('are rejected before they cost much', () => {
    const run = pictureRun({ alt: '{%p}' });
    const body = `<w:p>${run.repeat(20_001)}</w:p>`;
    const error = errorOf(() => inspectTemplate(buildDocx({ ...placeholderParts, body })));
    expect(error).toMatchObject({ code: 'template_invalid' });
    expect(error.details).toMatchObject([{ message: expect.stringContaining('more than 20000 tags') }]);
  });
});

describe('a barcode', () => {
  const widthPx = (template: string) => shown(template, data)[0]?.bytes.readUInt32BE(16) ?? 0;

  it('has more pixels where it is shown larger, up to three times its size', () => {
    const natural = widthPx('{%barcode code "ean13"}');
    expect(natural).toBeGreaterThan(400);
    expect(widthPx('{%barcode code "ean13" | width:"2cm"}')).toBe(natural);
    expect(widthPx('{%barcode code "ean13" | width:"8cm"}')).toBe(2 * natural);
    expect(widthPx('{%barcode code "ean13" | width:"50cm"}')).toBe(3 * natural);
  });
});
