/** A point is 1/72 inch, a CSS pixel 1/96 inch. */
export const pixelsPerPoint = 96 / 72;
const [minZoom, maxZoom] = [0.25, 4];
const steps = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

/** 1 is the size on paper; `fit` fills the width. */
export type Zoom = number | 'fit';

/** The reading position: the page at the top edge, counted from 0, and the share of it that is above the edge. */
export interface Place {
  readonly page: number;
  readonly share: number;
}

export function limitZoom(zoom: number): number {
  return Math.min(maxZoom, Math.max(minZoom, zoom));
}

/** The next zoom step in a direction; stays at the last step. */
export function stepZoom(zoom: number, direction: 1 | -1): number {
  const next =
    direction === 1 ? steps.find((step) => step > zoom + 0.005) : steps.findLast((step) => step < zoom - 0.005);
  return limitZoom(next ?? zoom);
}

/**
 * The zoom at which pages of this width, in points, fill a width in pixels. Small pages are enlarged to at most 150 %.
 */
export function zoomToFit(widestPt: number, widthPx: number): number {
  return Math.max(minZoom, Math.min(1.5, widthPx / (Math.max(1, widestPt) * pixelsPerPoint)));
}

/**
 * The index of the first of `count` stacked boxes whose bottom edge, given by `bottomOf`, is below `top`; the last one
 * if there is none.
 */
export function boxAt(count: number, top: number, bottomOf: (index: number) => number): number {
  let [low, high] = [0, Math.max(0, count - 1)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bottomOf(middle) > top) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The page to go to from a position. Going up from the middle of a page leads to its top. */
export function pageInDirection({ page, share }: Place, direction: 1 | -1, count: number): number {
  const target = direction === 1 ? page + 1 : share > 0.05 ? page : page - 1;
  return Math.min(Math.max(target, 0), Math.max(0, count - 1));
}
