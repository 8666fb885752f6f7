import { PDFiumLibrary } from '@hyzyla/pdfium';
import { PDF } from '@libpdf/core';
import { PNG } from 'pngjs';
import type { Excerpt } from '../../../shared/queue/preview-task.ts';
import { readPdfRequest } from '../read-pdf-request.ts';
import { maxPixels, pointsPerInch, tooLargeExitCode } from './limits.ts';

const { request: excerpt, pdf } = await readPdfRequest<Excerpt>('docmill-excerpt');
const bytes = excerpt.format === 'pdf' ? await firstPages(excerpt.pages) : await draw(excerpt);
process.stdout.write(bytes);

async function firstPages(pages: number): Promise<Uint8Array> {
  const whole = await PDF.load(pdf);
  const indices = Array.from({ length: pages }, (_, index) => index);
  // Links to other pages would include those pages.
  const first = await whole.extractPages(indices, { includeAnnotations: false });
  return await first.save();
}

async function draw({ page, dpi }: Extract<Excerpt, { format: 'png' }>): Promise<Uint8Array> {
  const library = await PDFiumLibrary.init();
  const drawn = (await library.loadDocument(pdf)).getPage(page - 1);
  const { originalWidth, originalHeight } = drawn.getOriginalSize();
  const squareInches = (originalWidth * originalHeight) / pointsPerInch ** 2;
  if (squareInches * dpi ** 2 > maxPixels) {
    process.stderr.write(String(Math.floor(Math.sqrt(maxPixels / squareInches))), () => process.exit(tooLargeExitCode));
    return await new Promise(() => undefined);
  }
  const { width, height, data } = await drawn.render({ scale: dpi / pointsPerInch, render: 'bitmap' });
  const picture = new PNG({ width, height });
  picture.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return PNG.sync.write(picture, { colorType: 2, inputHasAlpha: true });
}
