import { type Bitmap, channels, pointsPerInch } from './bitmap.ts';
import type { Box } from './read-links.ts';

/** Inches by which a rule or a picture may move, and by which letters may: one and two pixels at 150 dpi. */
const moves = { drawing: 1 / 150, letter: 2 / 150 };
/**
 * Tolerated differences of a colour channel, 0 to 255. The smoothed edges of letters depend on their subpixel position.
 */
const tolerances = { drawing: 48, letter: 176 };

export interface DrawingComparison {
  /** The number of pixels that differ. */
  readonly pixels: number;
  /** The first of them, in points from the left and the upper edge of the page; undefined for none. */
  readonly first: { readonly x: number; readonly y: number } | undefined;
}

/**
 * Compares two renderings of a page, which have the same size. Each pixel must lie between the colours that the other
 * rendering has around it: within one pixel at 150 dpi, or within two inside `letters`, the boxes of both pages'
 * characters. Calls `onPixel` with the index of each pixel that differs.
 */
export function compareDrawings(
  before: Bitmap,
  after: Bitmap,
  letters: readonly Box[],
  onPixel?: (pixel: number) => void,
): DrawingComparison {
  const { dpi, width, height } = before;
  const reach = { drawing: toPixels(moves.drawing, dpi), letter: toPixels(moves.letter, dpi) };
  const isLetter = maskOf(letters, before, reach.letter);
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
      const [move, tolerance] = [reach[kind], tolerances[kind]];
      if (isAlike(before, after, pixel, tolerance)) continue;
      if (isNear(before, after, pixel, move, tolerance) && isNear(after, before, pixel, move, tolerance)) continue;
      first ??= pixel;
      pixels++;
      onPixel?.(pixel);
    }
  }
  if (first === undefined) return { pixels, first };
  const toPoints = (position: number): number => (position / dpi) * pointsPerInch;
  return { pixels, first: { x: toPoints(first % width), y: toPoints(Math.floor(first / width)) } };
}

const toPixels = (inches: number, dpi: number): number => Math.max(1, Math.round(inches * dpi));

function isSameRow(one: Bitmap, other: Bitmap, row: number): boolean {
  const bytes = one.width * channels;
  const rowOf = ({ data }: Bitmap): Buffer => Buffer.from(data.buffer, data.byteOffset + row * bytes, bytes);
  return rowOf(one).equals(rowOf(other));
}

/** Whether no colour channel of a pixel differs by more than the tolerance. */
function isAlike({ data: one }: Bitmap, { data: other }: Bitmap, pixel: number, tolerance: number): boolean {
  for (let at = pixel * channels; at < pixel * channels + 3; at++)
    if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > tolerance) return false;
  return true;
}

function maskOf(boxes: readonly Box[], { dpi, width, height }: Bitmap, margin: number): Uint8Array {
  const pixelsPerPoint = dpi / pointsPerInch;
  const mask = new Uint8Array(width * height);
  const clamp = (length: number, end: number): number => Math.min(end, Math.max(0, Math.round(length)));
  for (const { left, top, right, bottom } of boxes) {
    const from = clamp(left * pixelsPerPoint - margin, width);
    const to = clamp(right * pixelsPerPoint + margin, width);
    const last = clamp(bottom * pixelsPerPoint + margin, height);
    for (let y = clamp(top * pixelsPerPoint - margin, height); y < last; y++)
      mask.fill(1, y * width + from, y * width + to);
  }
  return mask;
}

/** Whether the pixel of `one` lies between the colours around it in `other`. */
function isNear(one: Bitmap, other: Bitmap, pixel: number, move: number, tolerance: number): boolean {
  const { width, height } = one;
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
