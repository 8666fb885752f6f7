import { palette } from '../palette.ts';
import { color, paint } from './canvas.ts';

const gold = color('C99A2E');
const paleGold = color('E6C873');
const green = color(palette.green);
const rays = 36;

/** A rosette with a star, square. */
export const seal = (sizePx: number): Buffer =>
  paint({ widthPx: sizePx, heightPx: sizePx, unitPx: sizePx }, (point) => {
    const radius = Math.hypot(point.x - 0.5, point.y - 0.5);
    const angle = Math.atan2(point.y - 0.5, point.x - 0.5);
    if (radius > 0.475 + 0.022 * Math.cos(angle * rays)) return undefined;
    if (radius > 0.42) return gold;
    if (radius > 0.395) return paleGold;
    if (radius > 0.33) return Math.cos(angle * rays * 2) > 0 ? gold : paleGold;
    if (radius > 0.31) return gold;
    return radius < starRadius(angle) ? paleGold : green;
  });

/** The radius of a five-pointed star in this direction. */
function starRadius(angle: number): number {
  const [tip, notch] = [0.23, 0.09];
  const half = Math.PI / 5;
  const turned = angle + Math.PI / 2;
  const fromTip = Math.abs(turned - Math.round(turned / (2 * half)) * 2 * half);
  return (tip * notch * Math.sin(half)) / (tip * Math.sin(fromTip) + notch * Math.sin(half - fromTip));
}
