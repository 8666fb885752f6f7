import { PNG } from 'pngjs';
import type { Mask } from './mask.ts';
import type { Pdfium } from './pdfium.ts';

/** A page drawn in pixels. */
export interface Bitmap {
  readonly dpi: number;
  readonly width: number;
  readonly height: number;
  /** Blue, green, red and an unused byte for each pixel. */
  readonly data: Uint8Array;
}

export const pointsPerInch = 72;
export const channels = 4;
/** A page of 22 by 22 inches, Word's maximum, at 150 dpi. */
const maxPixels = (22 * 150) ** 2;
/** `FPDF_ANNOT` without `FPDF_RENDER_NO_SMOOTHTEXT`: text and pictures are smoothed, paths are not. */
const renderFlags = 0x01 | 0x4000;
const bgrx = 3;
const whitePixel = 0xff_ff_ff_ff;
const white = 0xff;

/** The highest resolution in which a page can be drawn. */
export function maxDpi(pdfium: Pdfium, page: number): number {
  const squarePoints = pdfium._FPDF_GetPageWidth(page) * pdfium._FPDF_GetPageHeight(page);
  return Math.floor(pointsPerInch * Math.sqrt(maxPixels / squarePoints));
}

/** Draws a page on a white background. */
export function drawPage(pdfium: Pdfium, page: number, dpi: number): Bitmap {
  const width = Math.round((pdfium._FPDF_GetPageWidth(page) * dpi) / pointsPerInch);
  const height = Math.round((pdfium._FPDF_GetPageHeight(page) * dpi) / pointsPerInch);
  if (width * height > maxPixels) throw new Error('the page is too large to be compared');
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bgrx, 0, 0);
  if (bitmap === 0) throw new Error('the page is too large to be compared');
  try {
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, whitePixel);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderFlags);
    const start = pdfium._FPDFBitmap_GetBuffer(bitmap);
    return { dpi, width, height, data: pdfium.HEAPU8.slice(start, start + width * height * channels) };
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap);
  }
}

/** The bitmap on white paper of this size. */
export function extended(bitmap: Bitmap, width: number, height: number): Bitmap {
  const data = new Uint8Array(width * height * channels).fill(white);
  for (let row = 0; row < bitmap.height; row++) {
    const start = row * bitmap.width * channels;
    data.set(bitmap.data.subarray(start, start + bitmap.width * channels), row * width * channels);
  }
  return { dpi: bitmap.dpi, width, height, data };
}

/** Fills the masks of a bitmap with white. */
export function masked(bitmap: Bitmap, masks: readonly Mask[]): Bitmap {
  const { dpi, width, height, data } = bitmap;
  const toPixels = (points: number, max: number): number =>
    Math.min(max, Math.max(0, Math.round((points * dpi) / pointsPerInch)));
  for (const mask of masks) {
    const [left, right] = [toPixels(mask.x, width), toPixels(mask.x + mask.width, width)];
    const bottom = toPixels(mask.y + mask.height, height);
    for (let y = toPixels(mask.y, height); y < bottom; y++)
      data.fill(white, (y * width + left) * channels, (y * width + right) * channels);
  }
  return bitmap;
}

/** The bitmap as a PNG. */
export function toPng({ width, height, data }: Bitmap): Uint8Array {
  const picture = new PNG({ width, height });
  for (let at = 0; at < data.length; at += channels) {
    picture.data[at] = data[at + 2] ?? 0;
    picture.data[at + 1] = data[at + 1] ?? 0;
    picture.data[at + 2] = data[at] ?? 0;
    picture.data[at + 3] = white;
  }
  return PNG.sync.write(picture, { colorType: 2, inputHasAlpha: true });
}
