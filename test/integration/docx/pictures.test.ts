import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import jsQr from 'jsqr';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import { loadSvgEngine } from '../../../src/worker/docx/core/pictures/svg-engine.ts';
import { barcodeKinds } from '../../../src/worker/docx/features/barcodes/barcode-kinds.ts';
import { type DocxInput, paragraph, table } from '../../support/documents/docx-builder.ts';
import { base64, jpeg, pictureRun, placeholderParts, png, svg } from '../../unit/docx/pictures/samples.ts';
import { fillWith } from '../../unit/docx/pictures/shown.ts';
import { expectRotatedFurther, expectUpright, photoPlaces } from './rotated-pictures.ts';
import { useLibreOffice } from './use-libreoffice.ts';

const toPdf = await useLibreOffice();

beforeAll(async () => {
  await loadSvgEngine();
  const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
});

interface Page {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

const dpi = 200;

const asRead: Readonly<Record<keyof typeof barcodeKinds, readonly string[]>> = {
  ean13: ['EAN13 4006381333931'],
  ean8: ['EAN8 96385074'],
  upca: ['EAN13 0036000291452'],
  upce: ['UPCE 0012345000065'],
  isbn: ['EAN13 9783161484100'],
  code128: ['Code128 ABC-1234'],
  gs1128: ['Code128 (01)09521234543213'],
  code39: ['Code39 ABC-1234'],
  code93: ['Code93 ABC-1234'],
  itf: ['ITF 12345678'],
  itf14: ['ITF 04601234567893'],
  codabar: ['Codabar A1234B'],
  datamatrix: ['DataMatrix ABC-1234'],
  gs1datamatrix: ['DataMatrix (01)09521234543213'],
  pdf417: ['PDF417 ABC-1234'],
  aztec: ['Aztec ABC-1234'],
};

/** The pages of the PDF that LibreOffice produces from a filled template, as images. */
async function pagesOf(template: DocxInput | string, data: unknown): Promise<Page[]> {
  const { file } = fillWith(template, data, { target: 'pdf' });
  const folder = await mkdtemp(join(tmpdir(), 'docmill-pictures-'));
  try {
    const path = join(folder, 'filled.pdf');
    await writeFile(path, await toPdf(file));
    await promisify(execFile)('pdftoppm', ['-r', `${dpi}`, '-gray', path, join(folder, 'page')]);
    const files = (await readdir(folder)).filter((name) => name.endsWith('.pgm')).sort();
    return await Promise.all(files.map((page) => readFile(join(folder, page)).then(readPgm)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function pageOf(template: DocxInput | string, data: unknown): Promise<Page> {
  const [page] = await pagesOf(template, data);
  if (page === undefined) throw new Error('the PDF has no page');
  return page;
}

function readPgm(pgm: Buffer): Page {
  const [head = '', width = '', height = ''] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 64)) ?? [];
  return { width: Number(width), height: Number(height), grey: pgm.subarray(head.length) };
}

const isInk = (level: number): boolean => level < 200;

/** The part of a page that is not white, with a margin: the barcode reader is slow on large white areas. */
function written({ width, height, grey }: Page): Page {
  const margin = 40;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let i = 0; i < grey.length; i++) {
    if (!isInk(grey[i] ?? 255)) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + 1);
    bottom = y + 1;
  }
  [left, top] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  [right, bottom] = [Math.min(width, right + margin), Math.min(height, bottom + margin)];
  const rows = Array.from({ length: bottom - top }, (_, row) => {
    const start = (top + row) * width;
    return grey.subarray(start + left, start + right);
  });
  return { width: right - left, height: bottom - top, grey: Buffer.concat(rows) };
}

function toRgba({ grey }: Page): Uint8ClampedArray<ArrayBuffer> {
  const opaque = 0xff_00_00_00;
  const pixels = Uint32Array.from(grey, (level) => opaque + level * 0x01_01_01);
  return new Uint8ClampedArray(pixels.buffer);
}

function readQr(whole: Page): string | undefined {
  const page = written(whole);
  return jsQr.default(toRgba(page), page.width, page.height)?.data;
}

async function readCode(whole: Page): Promise<string[]> {
  const page = written(whole);
  const { width, height } = page;
  const found = await readBarcodes({ data: toRgba(page), width, height, colorSpace: 'srgb' }, { tryHarder: true });
  return found.map(({ format, text }: ReadResult) => `${format} ${text}`);
}

/** The share of a page, in per mille, that is neither white nor nearly white. */
function darkness({ grey }: Page): number {
  let dark = 0;
  for (const level of grey) if (isInk(level)) dark++;
  return Math.round((1000 * dark) / grey.length);
}

describe('barcodes in a PDF', () => {
  it.each([
    ['{%qr url}', 'https://example.com/pay?invoice=2026-0001'],
    ['{%qr url}', 'Grüße aus Zürich – 12,50 €'],
    ['{%qr url | size:"6cm"}', 'BCD\n002\n1\nSCT\n\nDocmill\nDE02120300000000202051\nEUR12.50\n\n\nInvoice 1'],
    ['{%%qr url}', '1'],
  ])('%s is read by another reader: %j', async (tag, url) => {
    expect(readQr(await pageOf(tag, { url }))).toBe(url);
  });

  it('of every type are read by an independent reader', async () => {
    const names = Object.keys(barcodeKinds);
    const breaks = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
    const body = names.map((name) => paragraph(`{%barcode ${name} “${name}”}`)).join(breaks);
    const data = Object.fromEntries(Object.entries(barcodeKinds).map(([name, { example }]) => [name, example]));
    const pages = await pagesOf({ body }, data);
    const read = await Promise.all(pages.map(readCode));
    expect(Object.fromEntries(names.map((name, i) => [name, read[i]]))).toEqual(asRead);
  }, 180_000);

  it('keep their size in cells and placeholders', async () => {
    const cell = { body: table([['{%qr url}', 'x', 'y', 'z']]) };
    expect(readQr(await pageOf(cell, { url: 'in a cell' }))).toBe('in a cell');
    const placeholder = { ...placeholderParts, body: `<w:p>${pictureRun({ alt: '{%qr url}' })}</w:p>` };
    expect(readQr(await pageOf(placeholder, { url: 'in a box' }))).toBe('in a box');
  });
});

describe('pictures in a PDF', () => {
  const black = png({ width: 600, height: 300, grey: 0 });

  it.each([
    ['a PNG', base64(black)],
    ['a JPEG', base64(jpeg())],
    ['an SVG', base64(svg('<path d="M0 0H100V100H0Z" fill="black"/>'))],
  ])('are shown: %s', async (_, data) => {
    const page = await pageOf('{%p}', { p: { data, width: '10cm', height: '5cm', fit: 'stretch' } });
    // Half of 10 cm by 5 cm is 40 per mille of A4; the JPEG is a plain field.
    expect(darkness(page)).toBeGreaterThanOrEqual(38);
  });

  it('are shown once for each item, in place of the placeholder', async () => {
    const template = {
      ...placeholderParts,
      body: `${paragraph('{#rows}')}<w:p>${pictureRun({ alt: '{%p}', cx: 3_600_000, cy: 1_800_000 })}</w:p>${paragraph('{/rows}')}`,
    };
    const one = darkness(await pageOf(template, { rows: [{ p: base64(black) }] }));
    const three = darkness(await pageOf(template, { rows: Array(3).fill({ p: base64(black) }) }));
    expect(one).toBeGreaterThanOrEqual(38);
    expect(three).toBeGreaterThanOrEqual(3 * one - 2);
    expect(darkness(await pageOf(template, { rows: [{ p: null }] }))).toBe(0);
  });
});

describe('photos in a PDF', () => {
  it.each(photoPlaces)('stand upright %s, however the camera was held', (_, template) =>
    expectUpright(toPdf, template),
  );

  it('are rotated further by a placeholder that is rotated itself', () => expectRotatedFurther(toPdf));
});
