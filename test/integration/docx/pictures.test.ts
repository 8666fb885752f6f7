import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import jsQr from 'jsqr';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import { loadSvgEngine } from '../../../src/worker/docx/core/pictures/svg-engine.ts';
import { barcodeKinds } from '../../../src/worker/docx/features/barcodes/barcode-kinds.ts';
import { type DocxInput, paragraph, table } from '../../support/documents/docx-builder.ts';
import { pageBreak } from '../../support/documents/field-builder.ts';
import { base64, jpeg, pictureRun, placeholderParts, png, svg } from '../../unit/docx/pictures/samples.ts';
import { render } from '../../unit/docx/render/fill.ts';
import { drawPages, type Page } from './page-pictures.ts';
import { photoPlaces, photos, picturesOn, rotatedPlaceholder, upright } from './rotated-pictures.ts';
import { useLibreOffice } from './use-libreoffice.ts';

const toPdf = await useLibreOffice();

beforeAll(async () => {
  await loadSvgEngine();
  const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
});

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

/** The pages of the PDF that LibreOffice produces from a filled template. */
async function pagesOf(template: DocxInput, data: unknown): Promise<Page[]> {
  return drawPages(await toPdf(render(template, data, { target: 'pdf' }).file), 200, '-gray');
}

const isInk = (level: number): boolean => level < 200;

/** The part of a page that is not white, with a margin: the barcode reader is slow on large white areas. */
function written({ width, height, pixels: grey }: Page): Page {
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
  return { width: right - left, height: bottom - top, pixels: Buffer.concat(rows) };
}

function toRgba({ pixels: grey }: Page): Uint8ClampedArray<ArrayBuffer> {
  const opaque = 0xff_00_00_00;
  const rgba = Uint32Array.from(grey, (level) => opaque + level * 0x01_01_01);
  return new Uint8ClampedArray(rgba.buffer);
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
function darkness({ pixels: grey }: Page): number {
  let dark = 0;
  for (const level of grey) if (isInk(level)) dark++;
  return Math.round((1000 * dark) / grey.length);
}

describe('barcodes in a PDF', () => {
  it('QR codes are read by an independent reader, also in cells and placeholders', async () => {
    const texts = [
      'https://example.com/pay?invoice=2026-0001',
      'Grüße aus Zürich – 12,50 €',
      'BCD\n002\n1\nSCT\n\nDocmill\nDE02120300000000202051\nEUR12.50\n\n\nInvoice 1',
      '1',
      'in a cell',
      'in a box',
    ];
    const places = [
      paragraph('{%qr t[0]}'),
      paragraph('{%qr t[1]}'),
      paragraph('{%qr t[2] | size:"6cm"}'),
      paragraph('{%%qr t[3]}'),
      table([['{%qr t[4]}', 'x', 'y', 'z']]),
      `<w:p>${pictureRun({ alt: '{%qr t[5]}' })}</w:p>`,
    ];
    const pages = await pagesOf({ ...placeholderParts, body: places.join(pageBreak) }, { t: texts });
    expect(pages.map(readQr)).toEqual(texts);
  });

  it('barcodes of every type are read by an independent reader', async () => {
    const names = Object.keys(barcodeKinds);
    const body = names.map((name) => paragraph(`{%barcode ${name} “${name}”}`)).join(pageBreak);
    const data = Object.fromEntries(Object.entries(barcodeKinds).map(([name, { example }]) => [name, example]));
    const pages = await pagesOf({ body }, data);
    const read = await Promise.all(pages.map(readCode));
    expect(Object.fromEntries(names.map((name, i) => [name, read[i]]))).toEqual(asRead);
  });
});

describe('pictures in a PDF', () => {
  const black = png({ width: 600, height: 300, grey: 0 });

  it('are shown if they are PNG, JPEG or SVG', async () => {
    const pictures = [black, jpeg(), svg('<path d="M0 0H100V100H0Z" fill="black"/>')].map(base64);
    const tag = '{%. | width:"10cm" | height:"5cm" | fit:"stretch"}';
    const body = ['{#pictures}', tag, pageBreak, '{/}'].map((text) => (text === pageBreak ? text : paragraph(text)));
    const pages = await pagesOf({ body: body.join('') }, { pictures });
    expect(pages).toHaveLength(3);
    // Half of 10 cm by 5 cm is 40 per mille of A4. The JPEG has a single colour.
    for (const page of pages) expect(darkness(page)).toBeGreaterThanOrEqual(38);
  });

  it('are shown once for each item, in place of the placeholder', async () => {
    const template = {
      ...placeholderParts,
      body: `${paragraph('{#rows}')}<w:p>${pictureRun({ alt: '{%p}', cx: 3_600_000, cy: 1_800_000 })}</w:p>${paragraph('{/rows}')}`,
    };
    const shown = async (rows: readonly unknown[]) => (await pagesOf(template, { rows })).map(darkness);
    const [one = 0] = await shown([{ p: base64(black) }]);
    const [three = 0] = await shown(Array(3).fill({ p: base64(black) }));
    expect(one).toBeGreaterThanOrEqual(38);
    expect(three).toBeGreaterThanOrEqual(3 * one - 2);
    expect(await shown([{ p: null }])).toEqual([0]);
  });
});

describe('photos in a PDF', () => {
  const shown = async (template: DocxInput) => {
    const pdf = await toPdf(render(template, photos, { target: 'pdf' }).file);
    return (await drawPages(pdf, 72)).flatMap(picturesOn);
  };

  it.each(photoPlaces)('stand upright %s, however the camera was held', async (_, template) => {
    expect(await shown(template)).toEqual(upright);
  });

  it('are rotated further by a placeholder that is rotated itself', async () => {
    // Upright, the picture shows BR above YG; rotated by a further quarter, YB above GR.
    expect(await shown(rotatedPlaceholder)).toEqual(['YB/GR 48x32']);
  });
});
