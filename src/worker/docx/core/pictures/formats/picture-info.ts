import type { Orientation } from './orientation.ts';

/** Information from the headers of a bitmap. */
export interface PictureInfo {
  readonly type: 'png' | 'jpeg' | 'gif';
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels per inch, if the file specifies them. */
  readonly dpi: number | undefined;
  /** EXIF orientation; undefined for an upright picture. */
  readonly orientation?: Orientation | undefined;
}

export type PictureReading = PictureInfo | { readonly problem: string };

export const damaged = { problem: 'is a damaged picture' } as const;

/** The density if it is plausible. */
export function believable(dpi: number): number | undefined {
  return dpi >= 30 && dpi <= 2_400 ? dpi : undefined;
}
