import { beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { type DocxInput, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { render } from '../render/fill.ts';
import { base64, gif, jpeg, pictureRun, placeholderParts, png, svg, textBox } from './samples.ts';
import { picturesOf, shown, sizes } from './shown.ts';

beforeAll(loadSvgEngine);

/** 96 pixels are an inch, or 2.54 cm. */
const inch = base64(png({ width: 96, height: 48 }));
const wide = base64(png({ width: 2_000, height: 500 }));
const tall = base64(png({ width: 100, height: 4_000 }));
const tags: [template: string, picture: unknown, size: string][] = [
  ['{%p}', inch, '2.54 x 1.27'],
  ['{%p}', `data:image/png;base64,${inch}`, '2.54 x 1.27'],
  ['{%p}', `  ${inch.slice(0, 20)}\n${inch.slice(20)}\n`, '2.54 x 1.27'],
  ['{%p}', inch.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''), '2.54 x 1.27'],
  ['{%p}', { data: inch }, '2.54 x 1.27'],
  ['{%p}', { base64: inch }, '2.54 x 1.27'],
  ['{%p}', { dataUrl: `data:image/png;base64,${inch}` }, '2.54 x 1.27'],
  ['{%p}', `data:text/plain;base64,${inch}`, '2.54 x 1.27'],
  ['{%p}', base64(png({ width: 300, height: 300, dpi: 300 })), '2.54 x 2.54'],
  ['{%p}', base64(png({ width: 96, height: 96, dpi: 5 })), '2.54 x 2.54'],
  ['{%p}', base64(jpeg()), '0.42 x 0.21'],
  ['{%p}', base64(jpeg({ dpi: 48 })), '0.85 x 0.42'],
  ['{%p}', base64(gif), '0.03 x 0.03'],
  ['{%p}', base64(svg()), '5.29 x 2.65'],
  ['{%p}', `data:image/svg+xml,${encodeURIComponent(svg())}`, '5.29 x 2.65'],
  ['{%p}', base64(svg('<rect width="9" height="9"/>', 'viewBox="0 0 40 20"')), '1.06 x 0.53'],
  ['{%p}', wide, '15.92 x 3.98'],
  ['{%p}', tall, '0.62 x 24.62'],
  ['{%p}', { data: inch, width: 192 }, '5.08 x 2.54'],
  ['{%p}', { data: inch, width: '3cm' }, '3.00 x 1.50'],
  ['{%p}', { data: inch, height: '20mm' }, '4.00 x 2.00'],
  ['{%p}', { data: inch, width: '1in' }, '2.54 x 1.27'],
  ['{%p}', { data: inch, width: '72pt' }, '2.54 x 1.27'],
  ['{%p}', { data: inch, width: '50%' }, '7.96 x 3.98'],
  ['{%p}', { data: inch, width: '2,5 cm' }, '2.50 x 1.25'],
  ['{%p}', { data: inch, width: '3cm', height: '3cm' }, '3.00 x 1.50'],
  ['{%p}', { data: inch, width: '3cm', height: '3cm', fit: 'contain' }, '3.00 x 1.50'],
  ['{%p}', { data: inch, width: '3cm', height: '3cm', fit: 'stretch' }, '3.00 x 3.00'],
  ['{%p}', { data: inch, width: '3cm', height: '3cm', fit: 'cover' }, '3.00 x 3.00'],
  ['{%p}', { data: inch, width: '', height: null }, '2.54 x 1.27'],
  ['{%p | width:"4cm"}', inch, '4.00 x 2.00'],
  ['{%p | width:“4cm”}', inch, '4.00 x 2.00'],
  ['{%p | width:w}', inch, '6.00 x 3.00'],
  ['{%p | width:96}', inch, '2.54 x 1.27'],
  ['{%p | width:"4cm" | height:"4cm" | fit:"stretch"}', inch, '4.00 x 4.00'],
  ['{%p | size:"4cm"}', inch, '4.00 x 2.00'],
  ['{%p | width:"4cm"}', { data: inch, width: '1cm' }, '1.00 x 0.50'],
  ['{%p}', { data: tall, height: '60cm' }, 'refused'],
  ['{%missing or p}', inch, '2.54 x 1.27'],
  ['{%ok ? p : q}', inch, '2.54 x 1.27'],
  ['{%list[0].p}', inch, '2.54 x 1.27'],
];

it.each(tags)('the size of a picture: %s %.40s', (template, picture, size) => {
  const make = () => sizes(shown(template, { p: picture, w: '6cm', ok: true, list: [{ p: picture }] }));
  if (size === 'refused') expect(make).toThrow('The data does not fit the template');
  else expect(make()).toEqual([size]);
});

const landscape =
  '<w:p><w:pPr><w:sectPr><w:pgSz w:w="16838" w:h="11906"/><w:pgMar w:top="1440" w:right="720" w:bottom="1440" w:left="720"/>' +
  '<w:cols w:num="2" w:space="398"/></w:sectPr></w:pPr></w:p>';
const photo = paragraph('{%p}');
const inner = table([['{%p}', 'x']]).replace(/4500/g, '2000');
const merged = table([['{%p}', 'x', 'y']]).replace(
  '<w:tcW w:w="0" w:type="auto"/>',
  '<w:tcW w:w="6000" w:type="dxa"/><w:gridSpan w:val="2"/>',
);
const places: [place: string, template: DocxInput, sizes: string[]][] = [
  ['a page', { body: photo }, ['15.92 x 3.98']],
  ['a column, and the page after it', { body: photo + landscape + photo }, ['13.23 x 3.31', '15.92 x 3.98']],
  ['a cell', { body: table([['{%p}', 'x']]) }, ['7.56 x 1.89']],
  ['a cell of a repeated row', { body: table([['{#list}{%p}', '{%p}', 'x{/list}']]) }, ['4.91 x 1.23', '4.91 x 1.23']],
  ['a cell in a cell', { body: table([[`${inner}<w:p/>`, 'x']]) }, ['3.15 x 0.79']],
  ['a merged cell of its own width', { body: merged }, ['10.20 x 2.55']],
  ['a text box', { body: textBox(photo) }, ['5.49 x 1.37']],
  ['a page after a table and a text box', { body: table([['x']]) + textBox(paragraph('x')) + photo }, ['15.92 x 3.98']],
];

describe('a picture without a stated size stays within', () => {
  it.each(places)('%s', (_, template, expected) => {
    expect(sizes(shown(template, { p: wide, list: [{ p: wide }] }))).toEqual(expected);
  });

  it('the page of the last section, in headers and footnotes', () => {
    const { docx } = render({ body: landscape + paragraph('x'), headers: [photo], footnotes: [photo] }, { p: wide });
    for (const part of ['word/header1.xml', 'word/footnotes.xml'])
      expect(sizes(picturesOf(docx, part))).toEqual(['15.92 x 3.98']);
  });
});

describe('a placeholder picture', () => {
  const box = (alt: string, more: object = {}) => ({
    ...placeholderParts,
    body: `<w:p>${pictureRun({ alt, ...more })}</w:p>`,
  });

  it.each([
    ['contain', inch, '5.00 x 2.50'],
    ['contain', base64(png({ width: 50, height: 50 })), '2.50 x 2.50'],
    ['its own size', { data: inch, width: '2cm' }, '2.00 x 1.00'],
    ['stretch', { data: base64(png({ width: 50, height: 50 })), fit: 'stretch' }, '5.00 x 2.50'],
    ['cover', { data: base64(png({ width: 50, height: 50 })), fit: 'cover' }, '5.00 x 2.50'],
  ])('is replaced within its box: %s', (_, p, size) => {
    const [picture, ...others] = shown(box('{%p}'), { p });
    expect(others).toEqual([]);
    expect(sizes(picture === undefined ? [] : [picture])).toEqual([size]);
    expect(picture?.xml).not.toContain('rIdPicture');
    expect(picture?.alt).toBe('');
  });

  it('keeps floating, centred in its former position', () => {
    const square = base64(png({ width: 50, height: 50 }));
    const [picture] = shown(box('{%p}', { floatsAt: { x: 1_000_000, y: 2_000_000 } }), { p: square });
    expect(picture?.offsets).toEqual([1_450_000, 2_000_000]);
    expect(picture?.xml).toContain('<wp:wrapSquare wrapText="bothSides"/>');
  });

  it('loses the crop and the SVG of the picture that it replaces', () => {
    const fillXml = '<a:srcRect l="10000" r="10000"/>';
    const [picture] = shown(box('{%p}', { fillXml }), { p: inch });
    expect(picture?.xml).not.toContain('srcRect');
  });

  it('may be a barcode', () => {
    const [qr] = shown(box('{%qr url}'), { url: 'https://example.com' });
    expect(sizes(qr === undefined ? [] : [qr])).toEqual(['2.50 x 2.50']);
  });
});
