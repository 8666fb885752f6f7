import { encodePng } from './encode-png.ts';

export type Color = { readonly red: number; readonly green: number; readonly blue: number };
export type Point = { readonly x: number; readonly y: number };

/**
 * Returns the colour at a point, or `undefined` for transparent. Both coordinates range from 0 to the size in units.
 */
export type Painter = (point: Point) => Color | undefined;

export const color = (hex: string): Color => ({
  red: Number.parseInt(hex.slice(0, 2), 16),
  green: Number.parseInt(hex.slice(2, 4), 16),
  blue: Number.parseInt(hex.slice(4, 6), 16),
});

const samplesPerSide = 4;

/** Paints a PNG. Samples `painter` at 16 points of every edge pixel for smooth edges. */
export function paint(size: { widthPx: number; heightPx: number; unitPx: number }, painter: Painter): Buffer {
  const pixels = Buffer.alloc(size.widthPx * size.heightPx * 4);
  for (let row = 0; row < size.heightPx; row++) {
    for (let column = 0; column < size.widthPx; column++) {
      const colorAt = (right: number, down: number) =>
        painter({ x: (column + right) / size.unitPx, y: (row + down) / size.unitPx });
      const offset = (row * size.widthPx + column) * 4;
      const middle = colorAt(0.5, 0.5);
      if (isPlain(middle, colorAt)) paintPixel(pixels, offset, [middle]);
      else paintPixel(pixels, offset, sample(colorAt));
    }
  }
  return encodePng({ widthPx: size.widthPx, heightPx: size.heightPx, pixels });
}

type ColorAt = (right: number, down: number) => Color | undefined;

const isPlain = (middle: Color | undefined, colorAt: ColorAt): boolean =>
  colorAt(0.01, 0.01) === middle &&
  colorAt(0.99, 0.01) === middle &&
  colorAt(0.01, 0.99) === middle &&
  colorAt(0.99, 0.99) === middle;

const sample = (colorAt: ColorAt): (Color | undefined)[] =>
  Array.from({ length: samplesPerSide ** 2 }, (_, index) =>
    colorAt(
      ((index % samplesPerSide) + 0.5) / samplesPerSide,
      (Math.floor(index / samplesPerSide) + 0.5) / samplesPerSide,
    ),
  );

function paintPixel(pixels: Buffer, offset: number, samples: readonly (Color | undefined)[]): void {
  const solid = samples.filter((item) => item !== undefined);
  if (solid.length === 0) return;
  const mean = (pick: (item: Color) => number) =>
    Math.round(solid.reduce((sum, item) => sum + pick(item), 0) / solid.length);
  pixels[offset] = mean((item) => item.red);
  pixels[offset + 1] = mean((item) => item.green);
  pixels[offset + 2] = mean((item) => item.blue);
  pixels[offset + 3] = Math.round((255 * solid.length) / samples.length);
}
