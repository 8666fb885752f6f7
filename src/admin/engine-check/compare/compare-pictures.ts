import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { isOnPage, type Mask } from '../rules.ts';

export interface PictureComparison {
  /** Differing pixels divided by all pixels of the page, 0 to 1. Anti-aliased edges do not count. */
  readonly share: number;
  /** A PNG with the differences in red; undefined when there are none. */
  readonly difference: Buffer | undefined;
}

/** The colour difference above which a pixel differs, 0 to 1. */
const colourThreshold = 0.15;
const pointsPerInch = 72;

/** Compares two pictures (PNG) of a page, drawn at `dpi`. The smaller one is padded with white. */
export function comparePictures(
  oldPng: Buffer,
  newPng: Buffer,
  { page, dpi, masks }: { readonly page: number; readonly dpi: number; readonly masks: readonly Mask[] },
): PictureComparison {
  if (oldPng.equals(newPng)) return { share: 0, difference: undefined };
  const [before, after] = [PNG.sync.read(oldPng), PNG.sync.read(newPng)];
  const [width, height] = [Math.max(before.width, after.width), Math.max(before.height, after.height)];
  const [left, right] = [extended(before, width, height), extended(after, width, height)];
  for (const mask of masks.filter((one) => isOnPage(one, page))) {
    for (const picture of [left, right]) blank(picture, mask, dpi / pointsPerInch);
  }
  const output = new PNG({ width, height });
  const pixels = pixelmatch(left.data, right.data, output.data, width, height, {
    threshold: colourThreshold,
    alpha: 0.25,
  });
  return { share: pixels / (width * height), difference: pixels === 0 ? undefined : PNG.sync.write(output) };
}

function extended(picture: PNG, width: number, height: number): PNG {
  if (picture.width === width && picture.height === height) return picture;
  const canvas = new PNG({ width, height });
  canvas.data.fill(0xff);
  PNG.bitblt(picture, canvas, 0, 0, picture.width, picture.height, 0, 0);
  return canvas;
}

function blank(picture: PNG, mask: Mask, scale: number): void {
  const clamp = (value: number, max: number): number => Math.min(max, Math.max(0, Math.round(value)));
  const [left, right] = [clamp(mask.x * scale, picture.width), clamp((mask.x + mask.width) * scale, picture.width)];
  const [top, bottom] = [clamp(mask.y * scale, picture.height), clamp((mask.y + mask.height) * scale, picture.height)];
  for (let y = top; y < bottom; y++)
    picture.data.fill(0xff, (y * picture.width + left) * 4, (y * picture.width + right) * 4);
}
