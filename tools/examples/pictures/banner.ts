import { palette } from '../palette.ts';
import { type Color, color, type Point, paint } from './canvas.ts';

type Hill = {
  readonly fill: Color;
  readonly base: number;
  readonly waves: readonly (readonly [number, number, number])[];
};

/** From back to front: base height, then waves of [height, count across the width, shift]. */
const hills: readonly Hill[] = [
  {
    fill: color('BFD9CB'),
    base: 0.4,
    waves: [
      [0.05, 1.3, 0.4],
      [0.02, 3.1, 1.1],
    ],
  },
  {
    fill: color('8FBDA5'),
    base: 0.5,
    waves: [
      [0.07, 1.0, 2.6],
      [0.02, 2.7, 0.3],
    ],
  },
  {
    fill: color('5B9C7D'),
    base: 0.62,
    waves: [
      [0.06, 1.5, 4.4],
      [0.015, 4.2, 2.2],
    ],
  },
  {
    fill: color(palette.leaf),
    base: 0.72,
    waves: [
      [0.05, 1.1, 1.2],
      [0.012, 3.6, 5.1],
    ],
  },
  {
    fill: color(palette.green),
    base: 0.84,
    waves: [
      [0.04, 1.7, 3.3],
      [0.01, 5.3, 0.9],
    ],
  },
];
const sky = color(palette.mist);
const sun = color('E9C46A');

/** A calm landscape for the cover of the report, 210 by 132. */
export const banner = (): Buffer =>
  paint({ widthPx: 1050, heightPx: 660, unitPx: 660 }, (point) => {
    const hill = hills.findLast(({ base, waves }) => point.y > base - height(point.x, waves));
    if (hill !== undefined) return hill.fill;
    return isInSun(point) ? sun : sky;
  });

const isInSun = (point: Point): boolean => Math.hypot(point.x - 1.18, point.y - 0.27) < 0.11;

const height = (x: number, waves: Hill['waves']): number =>
  waves.reduce((sum, [size, count, shift]) => sum + size * Math.sin((x / 1.59) * count * 2 * Math.PI + shift), 0);
