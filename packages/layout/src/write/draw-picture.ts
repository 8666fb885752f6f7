import type { Picture } from '../document/tree.ts';
import type { Canvas } from './draw-areas.ts';
import { pictureSize } from './embed-picture.ts';
import { pdfNumber } from './pdf-objects.ts';

const twipsPerPoint = 20;
const wholeSide = 100_000;
/** LibreOffice measures pictures in hundredths of a millimetre, at 96 pixels per inch. */
const hundredthsPerPixel = 2_540 / 96;

/** LibreOffice draws pictures this number of twips above their position. */
const rise = 1;
/** LibreOffice clips pictures to the dots of its PDFs, to which their first and last twips round. */
const twipsPerDot = 2;
const dotsPerPoint = 10;

/**
 * Draws a picture whose upper left corner is at `left` and `top`, in twips from that of the page. `name` is its
 * resource.
 */
export function drawPicture(
  { width, height, bytes, crop }: Picture,
  { left, top }: { readonly left: number; readonly top: number },
  name: string,
  { flipped }: Canvas,
): string {
  const [x, y] = [left / twipsPerPoint, flipped(top - rise + height)];
  const [boxWidth, boxHeight] = [width / twipsPerPoint, height / twipsPerPoint];
  const across = clipped(left, width);
  const down = clipped(top, height);
  const clip = [across.start, flipped(0) - down.start - down.length, across.length, down.length].map(pdfNumber);
  const show = (from: number, bottom: number, shownWidth: number, shownHeight: number): string => {
    const [a, d, e, f] = [shownWidth, shownHeight, from, bottom].map(pdfNumber);
    return `q ${clip.join(' ')} re W n ${a} 0 0 ${d} ${e} ${f} cm /${name} Do Q`;
  };
  if (crop === undefined) return show(x, y, boxWidth, boxHeight);
  const size = pictureSize(bytes);
  const wide = uncropped(size.width, crop.left, crop.right, boxWidth);
  const high = uncropped(size.height, crop.bottom, crop.top, boxHeight);
  return show(x - wide.before, y - high.before, wide.whole, high.whole);
}

/** The visible part of a side, in points. */
function clipped(start: number, length: number): { start: number; length: number } {
  const first = Math.round(start / twipsPerDot);
  const last = Math.round((start + length - 1) / twipsPerDot);
  return { start: first / dotsPerPoint, length: (last - first) / dotsPerPoint };
}

/** The full length of a side of which `shown` remains after cropping, and the length cropped before that. */
function uncropped(pixels: number, before: number, behind: number, shown: number): { whole: number; before: number } {
  const length = Math.round(pixels * hundredthsPerPixel);
  const cut = (side: number): number => Math.round((length * side) / wholeSide);
  const scale = shown / (length - cut(before) - cut(behind));
  return { whole: length * scale, before: cut(before) * scale };
}
