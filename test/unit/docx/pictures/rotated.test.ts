import { describe, expect, it } from 'vitest';
import { inspectPicture } from '../../../../src/worker/docx/inspect/inspect-picture.ts';
import { render } from '../render/fill.ts';
import { base64, jpeg, pictureRun, placeholderParts } from './samples.ts';
import { type ShownPicture, shown, sizes } from './shown.ts';

/** The sample is 16 × 8 pixels. Rotated by 90 degrees it is 8 wide and 16 high. */
const orientations: [orientation: number, transform: string, isOnSide: boolean][] = [
  [1, '<a:xfrm>', false],
  [2, '<a:xfrm flipH="1">', false],
  [3, '<a:xfrm rot="10800000">', false],
  [4, '<a:xfrm rot="10800000" flipH="1">', false],
  [5, '<a:xfrm rot="16200000" flipH="1">', true],
  [6, '<a:xfrm rot="5400000">', true],
  [7, '<a:xfrm rot="5400000" flipH="1">', true],
  [8, '<a:xfrm rot="16200000">', true],
];

function transformOf({ xml }: ShownPicture): string {
  return /<a:xfrm[^>]*>/.exec(xml)?.[0] ?? '';
}

function only(pictures: readonly ShownPicture[]): ShownPicture {
  const [picture, ...others] = pictures;
  if (picture === undefined || others.length > 0) throw new Error(`there are ${pictures.length} pictures`);
  return picture;
}

const rotated = (orientation: number, look: object = {}) => ({ p: { data: base64(jpeg({ orientation })), ...look } });

describe('a picture taken with a rotated camera', () => {
  it.each(orientations)('EXIF orientation %i gives %s', (orientation, transform, isOnSide) => {
    const picture = only(shown('{%p}', rotated(orientation, { width: '2cm' })));
    expect(transformOf(picture)).toBe(transform);
    // The frame has the size before rotation: Word rotates it around its centre.
    expect(sizes([picture])).toEqual([isOnSide ? '4.00 x 2.00' : '2.00 x 1.00']);
  });

  it.each([0, 1, 9, 255, 65_535])('is upright in orientation %i', (orientation) => {
    expect(transformOf(only(shown('{%p}', rotated(orientation))))).toBe('<a:xfrm>');
  });

  it('loses its orientation tag, without a warning', () => {
    const original = jpeg({ orientation: 6 });
    const picture = only(shown('{%p}', rotated(6)));
    expect(picture.bytes).toEqual(jpeg({ orientation: 1 }));
    expect(picture.bytes).toHaveLength(original.length);
    expect(render('{%p}', rotated(6)).warnings).toEqual([]);
  });

  it.each([
    ['its own size', {}, '0.42 x 0.21'],
    ['a height', { height: '4cm' }, '4.00 x 2.00'],
    ['a box to stay in', { width: '4cm', height: '4cm' }, '4.00 x 2.00'],
    ['a box to fill by force', { width: '3cm', height: '4cm', fit: 'stretch' }, '4.00 x 3.00'],
  ])('is measured upright: %s', (_, look, size) => {
    expect(sizes([only(shown('{%p}', rotated(6, look)))])).toEqual([size]);
  });

  it.each([1, 3, 6, 8])('is cropped on the sides that stick out, in orientation %i', (orientation) => {
    const picture = only(shown('{%p}', rotated(orientation, { width: '3cm', height: '3cm', fit: 'cover' })));
    expect(picture.crop).toEqual([25_000, 0, 25_000, 0]);
  });

  it('is listed with its displayed size', () => {
    expect(inspectPicture(jpeg({ orientation: 6 }))).toEqual({ type: 'jpeg', widthPx: 8, heightPx: 16 });
    expect(inspectPicture(jpeg({ orientation: 3 }))).toEqual({ type: 'jpeg', widthPx: 16, heightPx: 8 });
  });
});

describe('a placeholder of a picture taken with a rotated camera', () => {
  const template = (more: Partial<Parameters<typeof pictureRun>[0]> = {}, change = (xml: string) => xml) => ({
    ...placeholderParts,
    body: `<w:p>${change(pictureRun({ alt: '{%p}', ...more }))}</w:p>`,
  });

  it.each(orientations)('shows it upright in orientation %i', (orientation, transform, isOnSide) => {
    const picture = only(shown(template(), rotated(orientation)));
    expect(transformOf(picture)).toBe(transform);
    // The box is 5 cm × 2.5 cm.
    expect(sizes([picture])).toEqual([isOnSide ? '2.50 x 1.25' : '5.00 x 2.50']);
  });

  it.each([
    ['rot="5400000"', 6, '<a:xfrm rot="10800000">'],
    ['rot="5400000"', 8, '<a:xfrm>'],
    ['rot="-5400000"', 6, '<a:xfrm>'],
    ['rot="600000" flipH="1"', 6, '<a:xfrm rot="16800000" flipH="1">'],
    ['flipV="true"', 6, '<a:xfrm rot="16200000" flipV="1">'],
    ['flipH="1"', 2, '<a:xfrm>'],
    ['flipH="1" flipV="1"', 7, '<a:xfrm rot="5400000" flipV="1">'],
  ])('rotates it further if it is rotated itself (%s), in orientation %i', (own, orientation, transform) => {
    const change = (xml: string) => xml.replace('<a:xfrm>', `<a:xfrm ${own}>`);
    expect(transformOf(only(shown(template({}, change), rotated(orientation))))).toBe(transform);
  });

  it.each([
    ['no transform', /<a:xfrm>.*?<\/a:xfrm>/s, ''],
    ['an empty transform', /<a:xfrm>.*?<\/a:xfrm>/s, '<a:xfrm/>'],
    ['no shape', /<pic:spPr>.*?<\/pic:spPr>/s, '<pic:spPr/>'],
  ])('gets a transform with %s', (_, pattern, replacement) => {
    const changed = template({}, (xml) => xml.replace(pattern, replacement));
    const picture = only(shown(changed, rotated(6)));
    expect(transformOf(picture)).toBe('<a:xfrm rot="5400000">');
    expect(picture.xml).toContain('<a:ext cx="900000" cy="450000"/>');
  });

  it('stays centred in its position if it floats', () => {
    const picture = only(shown(template({ floatsAt: { x: 1_000_000, y: 2_000_000 } }), rotated(6)));
    // A picture of 1.25 × 2.5 cm fits into 5 × 2.5 cm; before rotation it is 2.5 × 1.25 cm.
    expect(picture.offsets).toEqual([1_450_000, 2_225_000]);
  });
});

describe('malicious EXIF', () => {
  const exif = (hex: string) => {
    const tiff = Buffer.from(hex, 'hex');
    const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, content.length + 2]), content]);
    const plain = jpeg();
    return Buffer.concat([plain.subarray(0, 20), segment, plain.subarray(20)]);
  };

  it.each([
    ['big-endian', '4d4d002a00000008000101120003000000010006000000000000', '<a:xfrm rot="5400000">'],
    ['a directory far outside', '49492a00ffffffff010012010300010000000600000000000000', '<a:xfrm>'],
    ['a directory that ends early', '49492a0008000000ffff12010300', '<a:xfrm>'],
    ['a number of four bytes', '49492a0008000000010012010400010000000600000000000000', '<a:xfrm>'],
    ['another byte order mark', '58582a0008000000010012010300010000000600000000000000', '<a:xfrm>'],
    ['nothing', '', '<a:xfrm>'],
  ])('%s', (_, hex, transform) => {
    const picture = only(shown('{%p}', { p: base64(exif(hex)) }));
    expect(transformOf(picture)).toBe(transform);
  });
});
