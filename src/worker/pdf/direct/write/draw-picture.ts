import type { Picture } from '../document/tree.ts';
import { pictureSize } from './embed-picture.ts';
import { pdfNumber } from './pdf-objects.ts';

const twipsPerPoint = 20;
const wholeSide = 100_000;
/** LibreOffice measures pictures in hundredths of a millimetre, at 96 pixels to an inch. */
const hundredthsPerPixel = 2_540 / 96;

/** A picture in a box whose lower left corner is at `x` and `y`, in points. `name` is its resource. */
export function drawPicture({ width, height, bytes, crop }: Picture, x: number, y: number, name: string): string {
  const [boxWidth, boxHeight] = [width / twipsPerPoint, height / twipsPerPoint];
  const show = (left: number, bottom: number, shownWidth: number, shownHeight: number): string => {
    const [a, d, e, f] = [shownWidth, shownHeight, left, bottom].map(pdfNumber);
    return `${a} 0 0 ${d} ${e} ${f} cm /${name} Do Q`;
  };
  if (crop === undefined) return `q ${show(x, y, boxWidth, boxHeight)}`;
  const size = pictureSize(bytes);
  const across = uncropped(size.width, crop.left, crop.right, boxWidth);
  const up = uncropped(size.height, crop.bottom, crop.top, boxHeight);
  const clip = [x, y, boxWidth, boxHeight].map(pdfNumber).join(' ');
  return `q ${clip} re W n ${show(x - across.before, y - up.before, across.whole, up.whole)}`;
}

/** The length of a whole side of which `shown` is left, and what is before that. */
function uncropped(pixels: number, before: number, behind: number, shown: number): { whole: number; before: number } {
  const length = Math.round(pixels * hundredthsPerPixel);
  const cut = (side: number): number => Math.round((length * side) / wholeSide);
  const scale = shown / (length - cut(before) - cut(behind));
  return { whole: length * scale, before: cut(before) * scale };
}
