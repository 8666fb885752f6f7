import type { Difference } from './comparison.ts';
import type { Pdfium } from './pdfium.ts';
import type { Box } from './read-links.ts';

const dpi = 150;
const pixelsPerPoint = dpi / 72;
const channels = 4;
/** A page of 22 by 22 inches, Word's maximum. */
const maxPixels = (22 * dpi) ** 2;
/** `FPDF_ANNOT` without `FPDF_RENDER_NO_SMOOTHTEXT`: text and pictures are smoothed, paths are not. */
const renderFlags = 0x01 | 0x4000;
const bgrx = 3;
const white = 0xff_ff_ff_ff;

/** Pixels by which a rule or a picture may move, and by which letters may, whose tolerance is 0.75 pt. */
const moves = { drawing: 1, letter: 2 };
/**
 * Tolerated differences of a colour channel, 0 to 255. The smoothed edges of letters depend on their subpixel position.
 */
const tolerances = { drawing: 48, letter: 176 };

export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** Blue, green, red and an unused byte for each pixel. */
  readonly data: Uint8Array;
}

/** Draws a page at 150 dpi on a white background. */
export function drawPage(pdfium: Pdfium, page: number): Bitmap {
  const width = Math.round(pdfium._FPDF_GetPageWidth(page) * pixelsPerPoint);
  const height = Math.round(pdfium._FPDF_GetPageHeight(page) * pixelsPerPoint);
  if (width * height > maxPixels) throw new Error('the page is too large to be compared');
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bgrx, 0, 0);
  if (bitmap === 0) throw new Error('the page is too large to be compared');
  try {
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderFlags);
    const start = pdfium._FPDFBitmap_GetBuffer(bitmap);
    return { width, height, data: pdfium.HEAPU8.slice(start, start + width * height * channels) };
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap);
  }
}

/**
 * Compares two renderings of a page. Each pixel must lie between the colours that the other rendering has within one
 * pixel of it, or within two pixels inside `letters`, the boxes of both pages' characters.
 */
export function compareDrawings(
  before: Bitmap,
  after: Bitmap,
  letters: readonly Box[],
): Omit<Difference, 'page'> | undefined {
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return { measure: 'drawing', message: 'another size' };
  const isLetter = maskOf(letters, before);
  let first: number | undefined;
  let pixels = 0;
  const [left, right] = [before.data, after.data].map((data) => new Uint32Array(data.buffer, data.byteOffset));
  for (let row = 0; row < height; row++) {
    const [start, end] = [row * width, (row + 1) * width];
    // Most rows are equal, and comparing bytes is fast.
    if (isSameRow(before, after, row)) continue;
    for (let pixel = start; pixel < end; pixel++) {
      if (left?.[pixel] === right?.[pixel]) continue;
      const kind = isLetter[pixel] === 1 ? 'letter' : 'drawing';
      if (isAlike(before, after, pixel, kind)) continue;
      if (isNear(before, after, pixel, kind) && isNear(after, before, pixel, kind)) continue;
      first ??= pixel;
      pixels++;
    }
  }
  if (first === undefined) return undefined;
  const [x, y] = [(first % width) / pixelsPerPoint, Math.floor(first / width) / pixelsPerPoint];
  return { measure: 'drawing', message: `${pixels} pixel${pixels === 1 ? '' : 's'} at ${dpi} dpi`, x, y };
}

function isSameRow(one: Bitmap, other: Bitmap, row: number): boolean {
  const bytes = one.width * channels;
  const rowOf = ({ data }: Bitmap): Buffer => Buffer.from(data.buffer, data.byteOffset + row * bytes, bytes);
  return rowOf(one).equals(rowOf(other));
}

/** Whether the colours of a pixel differ by no more than the tolerance of `isNear`. */
function isAlike(
  { data: one }: Bitmap,
  { data: other }: Bitmap,
  pixel: number,
  kind: keyof typeof tolerances,
): boolean {
  for (let at = pixel * channels; at < pixel * channels + 3; at++)
    if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > tolerances[kind]) return false;
  return true;
}

function maskOf(boxes: readonly Box[], { width, height }: Bitmap): Uint8Array {
  const mask = new Uint8Array(width * height);
  const clamp = (length: number, end: number): number => Math.min(end, Math.max(0, Math.round(length)));
  for (const { left, top, right, bottom } of boxes) {
    const from = clamp(left * pixelsPerPoint - moves.letter, width);
    const to = clamp(right * pixelsPerPoint + moves.letter, width);
    const last = clamp(bottom * pixelsPerPoint + moves.letter, height);
    for (let y = clamp(top * pixelsPerPoint - moves.letter, height); y < last; y++)
      mask.fill(1, y * width + from, y * width + to);
  }
  return mask;
}

/** Whether the pixel of `one` lies between the colours around it in `other`. */
function isNear(one: Bitmap, other: Bitmap, pixel: number, kind: keyof typeof moves): boolean {
  const { width, height } = one;
  const [move, tolerance] = [moves[kind], tolerances[kind]];
  const [column, row] = [pixel % width, Math.floor(pixel / width)];
  for (let channel = 0; channel < 3; channel++) {
    let [least, most] = [255, 0];
    for (let y = Math.max(0, row - move); y <= Math.min(height - 1, row + move); y++) {
      for (let x = Math.max(0, column - move); x <= Math.min(width - 1, column + move); x++) {
        const value = other.data[(y * width + x) * channels + channel] ?? 0;
        if (value < least) least = value;
        if (value > most) most = value;
      }
    }
    const value = one.data[pixel * channels + channel] ?? 0;
    if (value < least - tolerance || value > most + tolerance) return false;
  }
  return true;
}
