/** A rectangle that is not compared, for example because it holds a date or a serial number. */
export interface Mask {
  /** Counted from 1. Default: every page. */
  readonly page?: number | undefined;
  /** Points from the upper left corner of the page. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const isOnPage = (mask: Mask, page: number): boolean => mask.page === undefined || mask.page === page;
