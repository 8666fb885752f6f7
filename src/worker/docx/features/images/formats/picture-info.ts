import type { Orientation } from './read-exif.ts';

/** What the headers of a bitmap say. */
export interface PictureInfo {
  readonly type: 'png' | 'jpeg' | 'gif';
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels per inch, where the file states them. */
  readonly dpi: number | undefined;
  /** The camera was held at an angle: the picture is upright once its pixels are rotated. */
  readonly orientation?: Orientation | undefined;
}

export type PictureReading = PictureInfo | { readonly problem: string };

export const damaged = { problem: 'is a damaged picture' } as const;

/** Undefined for a density that no real file has. */
export function believable(dpi: number): number | undefined {
  return dpi >= 30 && dpi <= 2_400 ? dpi : undefined;
}
