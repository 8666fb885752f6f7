import type { Orientation } from './read-exif.ts';

/** What the bytes of a bitmap tell of it. */
export interface PictureInfo {
  readonly type: 'png' | 'jpeg' | 'gif';
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels per inch, where the file tells it. */
  readonly dpi: number | undefined;
  /** The camera was turned: the picture stands upright only when its pixels are turned. */
  readonly orientation?: Orientation | undefined;
}

export type PictureReading = PictureInfo | { readonly problem: string };

export const damaged = { problem: 'is a damaged picture' } as const;

/** Densities that a file may be believed. */
export function believable(dpi: number): number | undefined {
  return dpi >= 30 && dpi <= 2_400 ? dpi : undefined;
}
