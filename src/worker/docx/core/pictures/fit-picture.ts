import { maxEmu } from './length.ts';
import type { Size } from './picture.ts';

export const fits = ['contain', 'cover', 'stretch'] as const;
export type Fit = (typeof fits)[number];

/** The crop on each side, in thousandths of a percent (ECMA-376 part 1, 20.1.8.55). */
export interface Crop {
  readonly left: number;
  readonly top: number;
}

export interface FittedPicture {
  readonly size: Size;
  readonly crop: Crop | undefined;
}

export interface RequestedSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit: Fit;
}

/**
 * The displayed size of a picture: fitted into width and height if both are set, scaled proportionally if one is set,
 * otherwise its natural size, reduced to fit `space`.
 */
export function fitPicture(natural: Size, requested: RequestedSize, space: Size): FittedPicture {
  const { width, height, fit } = requested;
  if (width !== undefined && height !== undefined) return fitInto(natural, { width, height }, fit);
  if (width !== undefined) return scaled(natural, width / natural.width);
  if (height !== undefined) return scaled(natural, height / natural.height);
  return scaled(natural, Math.min(1, space.width / natural.width, space.height / natural.height));
}

function fitInto(natural: Size, box: Size, fit: Fit): FittedPicture {
  if (fit === 'stretch') return { size: box, crop: undefined };
  const ratios = [box.width / natural.width, box.height / natural.height];
  if (fit === 'contain') return scaled(natural, Math.min(...ratios));
  const ratio = Math.max(...ratios);
  const cutOff = (shown: number, whole: number) => Math.round((50_000 * (whole * ratio - shown)) / (whole * ratio));
  return {
    size: box,
    crop: { left: cutOff(box.width, natural.width), top: cutOff(box.height, natural.height) },
  };
}

function scaled({ width, height }: Size, ratio: number): FittedPicture {
  const limited = Math.min(ratio, maxEmu / width, maxEmu / height);
  const size = { width: Math.max(1, Math.round(width * limited)), height: Math.max(1, Math.round(height * limited)) };
  return { size, crop: undefined };
}
