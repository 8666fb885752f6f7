import { PDFiumLibrary } from '@hyzyla/pdfium';
import { PDF } from '@libpdf/core';
import { PNG } from 'pngjs';
import type { Excerpt } from '../../../shared/queue/preview-task.ts';
import { serveRequests } from '../../supervisor/serve-requests.ts';
import type { ExcerptAnswer, ExcerptRequest } from './messages.ts';

/** A page of 22 by 22 inches, Word's maximum, at 200 dpi. */
const maxPixels = 20_000_000;
const pointsPerInch = 72;

serveRequests<ExcerptRequest, ExcerptAnswer>('docmill-excerpt', ({ pdf, excerpt }) =>
  excerpt.format === 'pdf' ? firstPages(pdf, excerpt.pages) : draw(pdf, excerpt),
);

async function firstPages(pdf: Uint8Array, pages: number): Promise<ExcerptAnswer> {
  const whole = await PDF.load(pdf);
  const indices = Array.from({ length: pages }, (_, index) => index);
  // Links to other pages would include those pages.
  const first = await whole.extractPages(indices, { includeAnnotations: false });
  return { kind: 'made', bytes: await first.save() };
}

async function draw(pdf: Uint8Array, { page, dpi }: Extract<Excerpt, { format: 'png' }>): Promise<ExcerptAnswer> {
  const library = await PDFiumLibrary.init();
  const drawn = (await library.loadDocument(pdf)).getPage(page - 1);
  const { originalWidth, originalHeight } = drawn.getOriginalSize();
  const squareInches = (originalWidth * originalHeight) / pointsPerInch ** 2;
  if (squareInches * dpi ** 2 > maxPixels)
    return { kind: 'too-large', maxDpi: Math.floor(Math.sqrt(maxPixels / squareInches)) };
  const { width, height, data } = await drawn.render({ scale: dpi / pointsPerInch, render: 'bitmap' });
  const picture = new PNG({ width, height });
  picture.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return { kind: 'made', bytes: PNG.sync.write(picture, { colorType: 2, inputHasAlpha: true }) };
}
