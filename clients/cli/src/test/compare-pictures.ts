import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { isOnPage, type Rules } from './rules.ts';

export interface PictureComparison {
  /** The share of differing pixels, from 0 to 1. Anti-aliased edges do not count. */
  readonly share: number;
  readonly pixels: number;
  /** A PNG that shows the differences in red; undefined if there are none. */
  readonly difference: Buffer | undefined;
}

const pointsPerInch = 72;

/** Compares two PNG pictures of a page, ignoring masks. The smaller one is extended with white. */
export function comparePictures(
  expected: Uint8Array,
  actual: Uint8Array,
  { page, dpi, masks, thresholds }: Pick<Rules, 'dpi' | 'masks' | 'thresholds'> & { readonly page: number },
): PictureComparison {
  if (Buffer.compare(expected, actual) === 0) return { share: 0, pixels: 0, difference: undefined };
  const [before, after] = [PNG.sync.read(Buffer.from(expected)), PNG.sync.read(Buffer.from(actual))];
  const [width, height] = [Math.max(before.width, after.width), Math.max(before.height, after.height)];
  const [left, right] = [extended(before, width, height), extended(after, width, height)];
  for (const mask of masks.filter((one) => isOnPage(one, page))) {
    const scale = dpi / pointsPerInch;
    const area = {
      left: Math.round(mask.x * scale),
      right: Math.min(width, Math.round((mask.x + mask.width) * scale)),
      top: Math.round(mask.y * scale),
      bottom: Math.min(height, Math.round((mask.y + mask.height) * scale)),
    };
    for (const picture of [left, right]) blank(picture, area);
  }
  const output = new PNG({ width, height });
  const pixels = pixelmatch(left.data, right.data, output.data, width, height, {
    threshold: thresholds.colour,
    alpha: 0.25,
  });
  return { share: pixels / (width * height), pixels, difference: pixels === 0 ? undefined : PNG.sync.write(output) };
}

function extended(picture: PNG, width: number, height: number): PNG {
  if (picture.width === width && picture.height === height) return picture;
  const canvas = new PNG({ width, height });
  canvas.data.fill(0xff);
  PNG.bitblt(picture, canvas, 0, 0, picture.width, picture.height, 0, 0);
  return canvas;
}

interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function blank(picture: PNG, { left, right, top, bottom }: Area): void {
  if (left >= right) return;
  for (let y = top; y < bottom; y++)
    picture.data.fill(0xff, (y * picture.width + left) * 4, (y * picture.width + right) * 4);
}
