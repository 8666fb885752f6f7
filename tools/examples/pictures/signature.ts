import { color, type Point, paint } from './canvas.ts';

type Stroke = readonly Point[];

const at = (x: number, y: number): Point => ({ x, y });
const ink = color('1D2B5A');
const widthPx = 640;
const heightPx = 240;
const samplesPerPixel = 4;

/** Strokes as control points of a smooth curve, in hundredths of the picture's height. */
const hands = {
  byrne: [
    [
      at(38, 78),
      at(30, 60),
      at(44, 20),
      at(54, 12),
      at(50, 42),
      at(40, 84),
      at(58, 40),
      at(84, 14),
      at(88, 28),
      at(70, 46),
    ],
    [at(58, 48), at(84, 44), at(92, 56), at(78, 76), at(48, 82), at(60, 70), at(98, 58), at(104, 56), at(108, 70)],
    [
      at(104, 58),
      at(108, 74),
      at(118, 56),
      at(120, 60),
      at(112, 98),
      at(96, 104),
      at(118, 78),
      at(136, 58),
      at(136, 72),
    ],
    [
      at(134, 74),
      at(142, 58),
      at(150, 58),
      at(146, 74),
      at(160, 57),
      at(166, 60),
      at(164, 74),
      at(178, 66),
      at(188, 58),
    ],
    [at(180, 66), at(190, 58), at(184, 56), at(180, 68), at(192, 74), at(214, 62), at(246, 54)],
  ],
  doyle: [
    [
      at(48, 84),
      at(58, 40),
      at(66, 14),
      at(60, 50),
      at(52, 82),
      at(84, 78),
      at(104, 46),
      at(88, 16),
      at(46, 20),
      at(30, 34),
    ],
    [at(104, 74), at(98, 62), at(112, 56), at(116, 68), at(104, 76), at(112, 58), at(124, 60), at(132, 58)],
    [
      at(130, 58),
      at(132, 74),
      at(144, 58),
      at(140, 92),
      at(122, 106),
      at(132, 86),
      at(160, 56),
      at(172, 18),
      at(164, 20),
    ],
    [
      at(164, 20),
      at(156, 66),
      at(166, 76),
      at(178, 62),
      at(188, 56),
      at(182, 54),
      at(178, 68),
      at(192, 76),
      at(236, 60),
    ],
    [at(60, 94), at(120, 86), at(190, 84), at(244, 78)],
  ],
} as const satisfies Record<string, readonly Stroke[]>;

/** A signature in blue ink on a transparent background, 8 by 3. */
export function signature(hand: keyof typeof hands): Buffer {
  const columns = widthPx * samplesPerPixel;
  const covered = new Uint8Array(columns * heightPx * samplesPerPixel);
  const unit = (heightPx * samplesPerPixel) / 115;
  for (const stroke of hands[hand]) draw(stroke, (point, radius) => cover(covered, columns, point, radius, unit));
  return paint({ widthPx, heightPx, unitPx: 1 }, (point) => {
    const index = Math.floor(point.y * samplesPerPixel) * columns + Math.floor(point.x * samplesPerPixel);
    return covered[index] === 1 ? ink : undefined;
  });
}

/** Draws a stroke in small steps; the line is widest in the middle and on downstrokes. */
function draw(stroke: Stroke, touch: (point: Point, radius: number) => void): void {
  const stepsPerSegment = 60;
  const segments = stroke.length - 1;
  let previous = stroke[0] ?? at(0, 0);
  let radius = 0.7;
  for (let step = 0; step <= segments * stepsPerSegment; step++) {
    const point = along(stroke, step / stepsPerSegment);
    const fall = (point.y - previous.y) * 3;
    const wanted = 0.85 + Math.max(-0.35, Math.min(0.75, fall));
    const fade = Math.min(1, (segments * stepsPerSegment - step) / 40 + 0.25);
    radius += (wanted - radius) * 0.06;
    touch(point, radius * fade);
    previous = point;
  }
}

/** Catmull-Rom interpolation. */
function along(stroke: Stroke, position: number): Point {
  const index = Math.min(Math.floor(position), stroke.length - 2);
  const part = position - index;
  const point = (offset: number) => stroke[Math.max(0, Math.min(stroke.length - 1, index + offset))] ?? at(0, 0);
  const [before, from, to, after] = [point(-1), point(0), point(1), point(2)];
  const blend = (a: number, b: number, c: number, d: number) =>
    0.5 * (2 * b + (c - a) * part + (2 * a - 5 * b + 4 * c - d) * part ** 2 + (3 * b - a - 3 * c + d) * part ** 3);
  return at(blend(before.x, from.x, to.x, after.x), blend(before.y, from.y, to.y, after.y));
}

function cover(covered: Uint8Array, columns: number, center: Point, radius: number, unit: number): void {
  const [x, y, reach] = [center.x * unit, center.y * unit, radius * unit];
  for (let row = Math.floor(y - reach); row <= y + reach; row++) {
    const halfWidth = Math.sqrt(Math.max(0, reach ** 2 - (row - y) ** 2));
    const start = Math.max(0, Math.round(x - halfWidth));
    const end = Math.min(columns, Math.round(x + halfWidth));
    if (row >= 0 && end > start) covered.fill(1, row * columns + start, row * columns + end);
  }
}
