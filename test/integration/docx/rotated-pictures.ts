import { type DocxInput, paragraph, table } from '../../support/documents/docx-builder.ts';
import {
  base64,
  type PlaceholderInput,
  pictureRun,
  placeholderParts,
  quarteredPhoto,
  vmlPictureRun,
} from '../../unit/docx/pictures/samples.ts';
import type { Page } from './page-pictures.ts';

/**
 * The displayed top and bottom rows for each orientation of stored pixels that are red and green above blue and yellow.
 */
const orientations = ['RG/BY', 'GR/YB', 'YB/GR', 'BY/RG', 'RB/GY', 'BR/YG', 'YG/BR', 'GY/RB'] as const;
/** Photos of orientation 5 and more were taken with the camera on its side. */
export const upright: readonly string[] = orientations.map((rows, i) => `${rows} ${i < 4 ? '48x32' : '32x48'}`);
export const photos = Object.fromEntries(
  orientations.map((_, i) => [`p${i + 1}`, { data: base64(quarteredPhoto(i + 1)) }]),
);

/** One of R, G, B and Y; empty for the paper and for text. */
function colourAt({ width, pixels }: Page, x: number, y: number): string {
  const at = 3 * (y * width + x);
  const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 100) return '';
  if (blue > 128) return 'B';
  return red > 128 ? (green > 128 ? 'Y' : 'R') : 'G';
}

/**
 * The pictures of a page from the top, one per line of text, each with its four corners and its rough size, scaled to a
 * longer side of 48.
 */
export function picturesOn(page: Page): string[] {
  const found: { left: number; right: number; top: number; bottom: number }[] = [];
  for (let y = 0; y < page.height; y++) {
    const xs = Array.from({ length: page.width }, (_, x) => x).filter((x) => colourAt(page, x, y) !== '');
    const [left, right] = [xs[0], xs.at(-1)];
    if (left === undefined || right === undefined) continue;
    const last = found.at(-1);
    // Where two colours meet, they are mixed for some pixels.
    if (last === undefined || y - last.bottom > 5) found.push({ left, right, top: y, bottom: y });
    else Object.assign(last, { left: Math.min(last.left, left), right: Math.max(last.right, right), bottom: y });
  }
  return found.map(({ left, right, top, bottom }) => {
    const [width, height] = [right - left + 1, bottom - top + 1];
    const corner = (x: number, y: number) => colourAt(page, Math.round(left + width * x), Math.round(top + height * y));
    const row = (y: number) => corner(0.2, y) + corner(0.8, y);
    // Edges are blurred.
    const side = (length: number) => 8 * Math.round((6 * length) / Math.max(width, height));
    return `${row(0.2)}/${row(0.8)} ${side(width)}x${side(height)}`;
  });
}

const gap = paragraph('x');

/** One picture per orientation, separated by text. */
function each(write: (tag: string) => string): DocxInput {
  return { ...placeholderParts, body: orientations.map((_, i) => `${write(`%p${i + 1}`)}${gap}`).join('') };
}

const placeholder = (more: Partial<PlaceholderInput>) => (tag: string) =>
  `<w:p>${pictureRun({ alt: `{${tag}}`, cx: 1_080_000, cy: 1_080_000, ...more })}</w:p>${more.floatsAt === undefined ? '' : gap.repeat(6)}`;

/** Places for photos, each with a template that has a photo of each orientation there. */
export const photoPlaces: readonly (readonly [place: string, template: DocxInput])[] = [
  ['in the text', each((tag) => paragraph(`{${tag} | width:"2cm" | height:"2cm"}`))],
  ['centred', each((tag) => paragraph(`{%${tag} | height:"2cm"}`))],
  ['in cells', each((tag) => table([[`{${tag} | width:"2cm"}`, 'x']]))],
  ['in placeholders', each(placeholder({}))],
  ['in floating placeholders', each(placeholder({ floatsAt: { x: 1_000_000, y: 0 } }))],
  ['in placeholders of VML', each((tag) => `<w:p>${vmlPictureRun({ alt: `{${tag}}` })}</w:p>`)],
];

/** A placeholder that is rotated itself, by a quarter. */
export const rotatedPlaceholder: DocxInput = {
  ...placeholderParts,
  body: `<w:p>${pictureRun({ alt: '{%p6}', cx: 1_080_000, cy: 720_000 }).replace('<a:xfrm>', '<a:xfrm rot="5400000">')}</w:p>${gap}`,
};
