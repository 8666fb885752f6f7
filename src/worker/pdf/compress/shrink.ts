/** A picture with four bytes per pixel: red, green, blue and an unused one. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The range of source pixels that one target pixel replaces. */
function spanOf(index: number, from: number, to: number): readonly [start: number, end: number] {
  const start = Math.floor((index * from) / to);
  return [start, Math.max(start + 1, Math.floor(((index + 1) * from) / to))];
}

/** Reduces a picture to at most this size, in pixels. Each pixel is the mean of those that it replaces. */
export function shrink(picture: Pixels, most: { readonly width: number; readonly height: number }): Pixels {
  const width = Math.min(picture.width, most.width);
  const height = Math.min(picture.height, most.height);
  if (width === picture.width && height === picture.height) return picture;
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const rows = spanOf(y, picture.height, height);
    for (let x = 0; x < width; x++) {
      const columns = spanOf(x, picture.width, width);
      for (let channel = 0; channel < 4; channel++)
        data[(y * width + x) * 4 + channel] = meanOf(picture, rows, columns, channel);
    }
  }
  return { width, height, data };
}

function meanOf(
  { width, data }: Pixels,
  [top, bottom]: readonly [number, number],
  [left, right]: readonly [number, number],
  channel: number,
): number {
  let sum = 0;
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += data[(y * width + x) * 4 + channel] ?? 0;
  return Math.round(sum / ((bottom - top) * (right - left)));
}
