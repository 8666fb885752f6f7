import { palette } from '../palette.ts';
import { color, type Point, paint } from './canvas.ts';

const green = color(palette.green);
const white = color(palette.white);

/** The square logo of Linden Works: a leaf in a disc. */
export const logo = (sizePx: number): Buffer =>
  paint({ widthPx: sizePx, heightPx: sizePx, unitPx: sizePx }, (point) => {
    if (Math.hypot(point.x - 0.5, point.y - 0.5) > 0.495) return undefined;
    return isLeaf(point) ? white : green;
  });

/** The leaf lies on the rising diagonal; `along` is the position on its midrib from -1 to 1. */
function isLeaf(point: Point): boolean {
  const along = ((point.x - 0.5) * Math.SQRT1_2 - (point.y - 0.5) * Math.SQRT1_2) / 0.38;
  const across = ((point.x - 0.5) * Math.SQRT1_2 + (point.y - 0.5) * Math.SQRT1_2) / 0.38;
  const isStem = along > -1.08 && along < -0.7 && Math.abs(across) < 0.035;
  if (isStem) return true;
  if (Math.abs(along) > 0.86) return false;
  const halfWidth = 0.56 * (1 - (along / 0.86) ** 2) ** 0.8 * (1 - along * 0.28);
  return Math.abs(across) < halfWidth && !isVein(along, Math.abs(across));
}

function isVein(along: number, across: number): boolean {
  const isMidrib = across < 0.035 && along < 0.62;
  const isSideVein = [-0.52, -0.16, 0.2].some((foot) => Math.abs(along - foot - across * 0.75) < 0.032);
  return isMidrib || (isSideVein && across < 0.36);
}
