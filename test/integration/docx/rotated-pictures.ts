import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type DocxInput, paragraph, table } from '../../support/documents/docx-builder.ts';
import {
  base64,
  type PlaceholderInput,
  pictureRun,
  placeholderParts,
  quarteredPhoto,
  vmlPictureRun,
} from '../../unit/docx/pictures/samples.ts';
import { fillWith } from '../../unit/docx/pictures/shown.ts';

/** The displayed top and bottom rows for each orientation: the stored pixels are red and green above blue and yellow. */
const upright = {
  1: 'RG/BY 48x32',
  2: 'GR/YB 48x32',
  3: 'YB/GR 48x32',
  4: 'BY/RG 48x32',
  5: 'RB/GY 32x48',
  6: 'BR/YG 32x48',
  7: 'YG/BR 32x48',
  8: 'GY/RB 32x48',
} as const;
const orientations = Object.keys(upright).map(Number);

interface Page {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

export type ToPdf = (docx: Uint8Array) => Promise<Uint8Array>;

async function pagesOf(toPdf: ToPdf, template: DocxInput): Promise<Page[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docmill-rotated-'));
  try {
    const path = join(folder, 'filled.pdf');
    await writeFile(path, await toPdf(fillWith(template, data, { target: 'pdf' }).file));
    await promisify(execFile)('pdftoppm', ['-r', '72', path, join(folder, 'page')]);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ppm')).sort();
    return await Promise.all(names.map(async (name) => readPpm(await readFile(join(folder, name)))));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function readPpm(ppm: Buffer): Page {
  const [head = '', width = '', height = ''] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.toString('latin1', 0, 64)) ?? [];
  return { width: Number(width), height: Number(height), rgb: ppm.subarray(head.length) };
}

/** R, G, B or Y; empty for the paper and for text. */
function colourAt({ width, rgb }: Page, x: number, y: number): string {
  const at = 3 * (y * width + x);
  const [red = 0, green = 0, blue = 0] = rgb.subarray(at, at + 3);
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 100) return '';
  if (blue > 128) return 'B';
  return red > 128 ? (green > 128 ? 'Y' : 'R') : 'G';
}

/** The pictures of a page from the top, one per line of text: their four corners and their size on a side of 48. */
function seen(page: Page): string[] {
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
    const above = corner(0.2, 0.2) + corner(0.8, 0.2);
    const below = corner(0.2, 0.8) + corner(0.8, 0.8);
    const side = (length: number) => Math.round((48 * length) / Math.max(width, height));
    return roughly(`${above}/${below} ${side(width)}x${side(height)}`);
  });
}

const gap = paragraph('x');
const data = Object.fromEntries(orientations.map((n) => [`p${n}`, { data: base64(quarteredPhoto(n)) }]));

/** One picture per orientation, separated by text. */
function each(write: (tag: string) => string): DocxInput {
  return { ...placeholderParts, body: orientations.map((n) => `${write(`%p${n}`)}${gap}`).join('') };
}

const placeholder = (more: Partial<PlaceholderInput>) => (tag: string) =>
  `<w:p>${pictureRun({ alt: `{${tag}}`, cx: 1_080_000, cy: 1_080_000, ...more })}</w:p>${more.floatsAt === undefined ? '' : gap.repeat(6)}`;

/** Places for photos, with a template that has a photo of each orientation there. */
export const photoPlaces: readonly (readonly [place: string, template: DocxInput])[] = [
  ['in the text', each((tag) => paragraph(`{${tag} | width:"2cm" | height:"2cm"}`))],
  ['centred', each((tag) => paragraph(`{%${tag} | height:"2cm"}`))],
  ['in cells', each((tag) => table([[`{${tag} | width:"2cm"}`, 'x']]))],
  ['in placeholders', each(placeholder({}))],
  ['in floating placeholders', each(placeholder({ floatsAt: { x: 1_000_000, y: 0 } }))],
  ['in placeholders of VML', each((tag) => `<w:p>${vmlPictureRun({ alt: `{${tag}}` })}</w:p>`)],
];

export async function expectUpright(toPdf: ToPdf, template: DocxInput): Promise<void> {
  expect((await pagesOf(toPdf, template)).flatMap(seen)).toEqual(Object.values(upright).map(roughly));
}

export async function expectRotatedFurther(toPdf: ToPdf): Promise<void> {
  const run = pictureRun({ alt: '{%p6}', cx: 1_080_000, cy: 720_000 }).replace('<a:xfrm>', '<a:xfrm rot="5400000">');
  const pages = await pagesOf(toPdf, { ...placeholderParts, body: `<w:p>${run}</w:p>${gap}` });
  // Upright it is BR above YG; a quarter more turns YB above GR.
  expect(pages.flatMap(seen)).toEqual([roughly('YB/GR 48x32')]);
}

/** Sizes to a few pixels of 48: edges are blurred. */
function roughly(picture: string): string {
  return picture.replace(/\d+/g, (number) => `${Math.round(Number(number) / 8) * 8}`);
}
