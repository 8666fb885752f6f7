/** Points are 1/72 inch, pixels of CSS 1/96. */
export const pixelsPerPoint = 96 / 72;
const [minZoom, maxZoom] = [0.25, 4];
const steps = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

/** 1 is the size on paper; `fit` fills the width. */
export type Zoom = number | 'fit';

/** Where a person reads: the page at the upper edge, counted from 0, and which share of it is above. */
export interface Place {
  readonly page: number;
  readonly share: number;
}

export function limitZoom(zoom: number): number {
  return Math.min(maxZoom, Math.max(minZoom, zoom));
}

/** The next step of the zoom in a direction; at the end it stays. */
export function stepZoom(zoom: number, direction: 1 | -1): number {
  const next =
    direction === 1 ? steps.find((step) => step > zoom + 0.005) : steps.findLast((step) => step < zoom - 0.005);
  return limitZoom(next ?? zoom);
}

/** The zoom with which pages of this width, in points, fill a width in pixels. Small pages are not blown up beyond 150 %. */
export function zoomToFit(widestPt: number, widthPx: number): number {
  return Math.max(minZoom, Math.min(1.5, widthPx / (Math.max(1, widestPt) * pixelsPerPoint)));
}

/** The first of `count` boxes below each other whose lower edge is below `top`; `bottomOf` answers for one. The last when none is. */
export function boxAt(count: number, top: number, bottomOf: (index: number) => number): number {
  let [low, high] = [0, Math.max(0, count - 1)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bottomOf(middle) > top) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The page to go to from a place. Up from the middle of a page is its beginning. */
export function pageInDirection({ page, share }: Place, direction: 1 | -1, count: number): number {
  const target = direction === 1 ? page + 1 : share > 0.05 ? page : page - 1;
  return Math.min(Math.max(target, 0), Math.max(0, count - 1));
}
