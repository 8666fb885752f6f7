import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSvgEngine } from '../../../../src/worker/docx/core/pictures/svg-engine.ts';
import { isExtended } from '../../../support/extended.ts';
import { errorOf, render } from '../render/fill.ts';
import { base64, jpeg, png, pngThatSays, svg } from './samples.ts';
import { shown } from './shown.ts';

beforeAll(loadSvgEngine);

const good = base64(png({ width: 4, height: 4 }));
const address = 'is an address; pictures are never fetched: send the picture itself as base64, or name an asset';
const outside = 'is an SVG that refers to something outside of it, or holds scripts';
const unknown = 'is not a supported picture format; send it as PNG, JPEG, GIF or SVG';
const noPicture = 'must be a picture: base64, a data URL, or an object with "data" or "asset"';
const length = 'must be a number of pixels or a length such as "3cm", "20mm", "1in" or "90pt"';

/** Draws ten million rectangles with two thousand characters. */
const nested = Array.from(
  { length: 8 },
  (_, i) => `<g id="a${i}">${i === 0 ? '<rect width="1" height="1"/>' : `<use href="#a${i - 1}"/>`.repeat(10)}</g>`,
).join('');

const images: [picture: unknown, problem: string, path?: string][] = [
  ['https://example.com/logo.png', address],
  ['HTTP://169.254.169.254/latest', address],
  ['//example.com/logo.png', address],
  ['file:///etc/passwd', address],
  ['www.example.com/logo.png', address],
  [{ data: 'https://example.com/logo.png' }, address, '.data'],
  ['not a picture!', 'is not valid base64'],
  ['data:image/png;base64,', 'is not valid base64'],
  ['data:image/png', 'is a data URL without data'],
  ['data:image/svg+xml,%zz', 'is a data URL that cannot be read'],
  [base64('plain text that is no picture'), unknown],
  [base64('%PDF-1.7 and more of it to come'), 'is a PDF; send it as PNG, JPEG, GIF or SVG'],
  [base64('RIFF....WEBPVP8 and more'), 'is a WebP picture; send it as PNG, JPEG, GIF or SVG'],
  [base64('BM and more of the bitmap'), 'is a bitmap (BMP); send it as PNG, JPEG, GIF or SVG'],
  [base64('%!PS-Adobe-3.0 EPSF-3.0'), 'is PostScript; send it as PNG, JPEG, GIF or SVG'],
  [base64('<html><body>svg</body></html>'), unknown],
  [base64(png({ width: 4, height: 4 }).subarray(0, 40)), 'is a damaged picture'],
  [base64(png({ width: 4, height: 4 }).subarray(0, -12)), 'is a damaged picture'],
  [base64(jpeg().subarray(0, -2)), 'is a damaged picture'],
  [base64(pngThatSays(0, 5)), 'is a damaged picture'],
  [base64(pngThatSays(100_000, 100_000)), 'is a picture of more than 50 million pixels'],
  [base64(Buffer.concat([png({ width: 4, height: 4 }), Buffer.alloc(10_490_000)])), 'is a picture of more than 10 MB'],
  [base64(svg('<script>alert(1)</script>')), outside],
  [base64(svg('<image href="https://example.com/x.png" width="9" height="9"/>')), outside],
  [base64(svg('<image href="file:///etc/passwd" width="9" height="9"/>')), outside],
  [base64(svg('<rect fill="url(https://example.com/#a)" width="9" height="9"/>')), outside],
  [base64(svg('<style>@import url(https://example.com/a.css);</style>')), outside],
  [base64(svg('<foreignObject><p>x</p></foreignObject>')), outside],
  [base64(gzipSync(svg('<script>alert(1)</script>'))), outside],
  [base64(`<!DOCTYPE svg [<!ENTITY a "aaaa">]>${svg('<text>&a;</text>')}`), 'is an SVG that is not well-formed'],
  [base64('<svg xmlns="http://www.w3.org/2000/svg"><rect>'), 'is an SVG that is not well-formed'],
  [base64(svg('', 'width="1" height="100000"')), 'is an SVG without a usable size'],
  [base64(svg(nested)), 'is an SVG that draws more than 100,000 elements by reference'],
  [7, noPicture],
  [true, noPicture],
  [[good], noPicture],
  [{ dataa: good }, noPicture],
  [{ data: 7 }, 'must be base64 or a data URL', '.data'],
  [{ asset: 7 }, 'must be the id or the name of an asset', '.asset'],
  [{ asset: 'none.png' }, 'names an asset that does not exist', '.asset'],
  [{ data: good, width: '3 miles' }, `has a width that ${length}, or a share such as "50%"`, '.width'],
  [{ data: good, height: '50%' }, `has a height that ${length}`, '.height'],
  [{ data: good, height: [] }, `has a height that ${length}`, '.height'],
  [{ data: good, width: -5 }, 'has a width that must be from 1 pixel to 55.88 cm', '.width'],
  [{ data: good, width: '56cm' }, 'has a width that must be from 1 pixel to 55.88 cm', '.width'],
  [{ data: good, fit: 'fill' }, 'has a fit that must be one of contain, cover, stretch', '.fit'],
  [{ data: good, alt: { de: 'Bild' } }, 'has an alt that must be a string of at most 1000 characters', '.alt'],
];

function faultsOf(template: string, data: unknown, assets?: ReadonlyMap<string, null>) {
  const error = errorOf(() => render(template, data, assets === undefined ? {} : { assets }));
  expect(error).toMatchObject({ code: 'data_invalid', status: 400 });
  return error.details;
}

describe('data that is not a picture', () => {
  const asked = images.map(([picture, problem, path = '']) => [problem, path, picture] as const);
  it.each(asked)('%s %s', (problem, path, picture) => {
    const details = faultsOf('{%p}', { p: picture }, new Map([['none.png', null]]));
    expect(details).toEqual([{ type: 'Field', path: `data.p${path}`, message: `The value of {%p} ${problem}.` }]);
  });

  it('is reported all at once, with the list positions in each path', () => {
    const rows = [
      { p: good, code: 'x' },
      { p: 'x y', code: {} },
    ];
    const details = faultsOf('{#rows}{%p}{%qr code}{/rows}', { rows });
    expect(details?.map((detail) => 'path' in detail && detail.path)).toEqual(['data.rows[1].p', 'data.rows[1].code']);
  });

  it("is named by the value of the tag's option that it comes from", () => {
    const [detail] = faultsOf('{%p | width:w}', { p: good, w: 'wide' }) ?? [];
    expect(detail).toMatchObject({ path: 'data.w' });
  });
});

const symbols = 'capital letters, spaces and the symbols -.$/+%';
const codes: [tag: string, value: unknown, problem: string][] = [
  ['{%barcode p "ean13"}', '4006381333932', 'cannot be the barcode ean13: Incorrect EAN-13 check digit provided'],
  ['{%barcode p "EAN-13"}', '12345', 'cannot be the barcode ean13: EAN-13 must be 12 or 13 digits'],
  ['{%barcode p "upca"}', 'abcdefghijk', 'cannot be the barcode upca: UPC-A must contain only digits'],
  ['{%barcode p "code39"}', 'lower', `cannot be the barcode code39: Code 39 must contain only digits, ${symbols}`],
  ['{%barcode p "code128"}', 'x'.repeat(6_000), 'is too long for the barcode code128'],
  ['{%qr p}', 'x'.repeat(4_000), 'is too long for a QR code'],
  ['{%qr p}', { url: 'x' }, 'is an object, which cannot be printed as text'],
];

it.each(codes)('data that is not a barcode is reported: %s %.20s', (tag, value, problem) => {
  expect(faultsOf(tag, { p: value })).toEqual([
    { type: 'Field', path: 'data.p', message: `The value of ${tag} ${problem}.` },
  ]);
});

describe('too many pictures', () => {
  it('stop the render', () => {
    const rows = Array.from({ length: 5_001 }, () => ({}));
    const error = errorOf(() => render('{#rows}{%p}{/rows}', { p: good, rows }));
    expect(error).toMatchObject({ code: 'render_limit', message: 'The document holds more than 5000 pictures' });
  });

  it.runIf(isExtended)('stop it also if their bytes are too many; a repeated picture counts once', () => {
    const filler = (i: number) => Buffer.concat([png({ width: i + 1, height: 1 }), Buffer.alloc(9_000_000)]);
    const same = base64(filler(0));
    expect(shown('{#rows}{%p}{/rows}', { p: same, rows: [1, 2, 3, 4, 5, 6, 7] })).toHaveLength(7);
    const rows = Array.from({ length: 6 }, (_, i) => ({ p: base64(filler(i)) }));
    const error = errorOf(() => render('{#rows}{%p}{/rows}', { rows }));
    expect(error).toMatchObject({ code: 'render_limit', message: 'The document holds pictures of more than 50 MB' });
  });

  it('are not loaded from assets', () => {
    const rows = Array.from({ length: 101 }, (_, i) => ({ p: { asset: `${i}.png` } }));
    const error = errorOf(() => render('{#rows}{%p}{/rows}', { rows }));
    expect(error).toMatchObject({ code: 'render_limit', message: 'The data refers to more than 100 assets.' });
  });
});
