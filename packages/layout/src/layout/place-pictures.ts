import { UnknownFeature } from '../unknown-feature.ts';
import type { Item, PagePictureItem } from './items.ts';
import { type PageArea, placePicture } from './place-picture.ts';

interface PictureArea extends PageArea {
  /** Whether it is the only page of the document. */
  readonly isOnlyPage: boolean;
}

export const isPicture = (item: Item): item is PagePictureItem => item.kind === 'page-picture';

/**
 * The items of a page with anchored pictures in position: once in document order, without those outside the page, and
 * once in LibreOffice's drawing order. Pictures of headers and footers are behind all text whatever they request, or
 * behind the body text if they are in cells. Those of the body are behind or in front of its text. Throws
 * UnknownFeature.
 */
export function placePictures(
  stories: readonly Item[],
  body: readonly Item[],
  area: PictureArea,
): { items: readonly Item[]; layers: readonly Item[] } {
  if (stories.some((item) => isPicture(item) && isPlacedEarly(item, area)))
    throw new UnknownFeature('a picture in a header or footer whose place depends on the height of the footer');
  const place = (item: Item): Item => (isPicture(item) ? placePicture(item, area) : item);
  const [ofStories, ofBody] = [stories.map(place), body.map(place)];
  requireKnownPlaces([...ofStories, ...ofBody].filter(isPicture), area);
  const isShown = (item: Item): boolean => !isPicture(item) || isOnPage(item, area);
  const [shownStories, shownBody] = [ofStories.filter(isShown), ofBody.filter(isShown)];
  const [storyPictures, bodyPictures] = [shownStories.filter(isPicture), shownBody.filter(isPicture)];
  const isText = (item: Item): boolean => !isPicture(item);
  return {
    items: [...shownStories, ...shownBody],
    layers: [
      ...behindEachOther(storyPictures.filter(({ isInCell }) => !isInCell)),
      ...shownStories.filter(isText),
      ...behindEachOther(storyPictures.filter(({ isInCell }) => isInCell)),
      ...inOrder(bodyPictures.filter(isBehind)),
      ...shownBody.filter(isText),
      ...inOrder(bodyPictures.filter((item) => !isBehind(item))),
    ],
  };
}

/**
 * In LibreOffice, a picture in a header or footer wraps the text of the body, but not that of the header or footer.
 * Throws UnknownFeature if a picture with wrapping reaches the body, or the edge of the page, where LibreOffice moves
 * it.
 */
function requireKnownWrap(item: PagePictureItem, { geometry, textTop, textBottom }: PictureArea): void {
  const { top, picture, isInCell } = item;
  const { wrap } = picture.anchor;
  if (wrap === undefined) return;
  const isAbove = top + picture.height + wrap.bottom + wrap.effects < textTop;
  const isBelow = top - wrap.top - wrap.effects > textBottom;
  if (isInCell || !isWhole(item, geometry) || !(isAbove || isBelow))
    throw new UnknownFeature('a picture with text around it in a header or footer');
}

function isWhole({ left, top, picture }: PagePictureItem, { width, height }: PageArea['geometry']): boolean {
  return left >= 0 && top > 0 && left + picture.width <= width && top + picture.height <= height;
}

function isOnPage({ left, top, picture: { width, height } }: PagePictureItem, { geometry }: PageArea): boolean {
  return left < geometry.width && left + width > 0 && top < geometry.height && top + height > 0;
}

const isBehind = ({ picture }: PagePictureItem): boolean => picture.anchor.isBehindText;

/** LibreOffice positions pictures in headers before a footer grows, and does not reposition them. */
function isPlacedEarly({ picture }: PagePictureItem, { geometry, textBottom }: PictureArea): boolean {
  const { from, at } = picture.anchor.vertical;
  const isAtEnd = from === 'bottomMargin' || (from === 'margin' && (at === 'center' || at === 'bottom'));
  return isAtEnd && textBottom !== geometry.height - geometry.bottom;
}

/** LibreOffice stacks the pages of a document vertically with this gap between them. */
const pageGap = 284;
/** Distances from text also keep pictures apart. */
const mostDistance = 1_000;

/**
 * Throws UnknownFeature for pictures that extend over other pages, where LibreOffice draws them too, and for pictures
 * at the same side at the same height, which it draws next to each other (`SwAnchoredObjectPosition::DrawAsideFly`).
 */
function requireKnownPlaces(items: readonly PagePictureItem[], area: PictureArea): void {
  const { geometry, isOnlyPage } = area;
  for (const [index, one] of items.entries()) {
    const isWithin = one.top > -pageGap && one.top + one.picture.height < geometry.height + pageGap;
    if (!isWithin && !isOnlyPage) throw new UnknownFeature('a picture that reaches over another page');
    requireKnownWrap(one, area);
    // LibreOffice clips its background and border there.
    if (one.picture.frame !== undefined && !isWhole(one, geometry))
      throw new UnknownFeature('a picture with lines or a colour that extends beyond its page');
    const { at } = one.picture.anchor.horizontal;
    if (at !== 'left' && at !== 'right') continue;
    for (const other of items.slice(index + 1))
      if (other.picture.anchor.horizontal.at === at && areBeside(one, other, mostDistance))
        throw new UnknownFeature('pictures side by side');
  }
}

function areBeside(one: PagePictureItem, other: PagePictureItem, distance: number): boolean {
  return one.top < other.top + other.picture.height + distance && other.top < one.top + one.picture.height + distance;
}

function behindEachOther(items: readonly PagePictureItem[]): readonly PagePictureItem[] {
  return [...inOrder(items.filter(isBehind)), ...inOrder(items.filter((item) => !isBehind(item)))];
}

function inOrder(items: readonly PagePictureItem[]): readonly PagePictureItem[] {
  for (const [index, one] of items.entries())
    for (const other of items.slice(index + 1))
      if (overlap(one, other) && !haveOrder(one, other))
        throw new UnknownFeature('pictures over each other without an order');
  return items.toSorted((one, other) => (heightOf(one) ?? 0) - (heightOf(other) ?? 0));
}

const heightOf = ({ picture }: PagePictureItem): number | undefined => picture.anchor.relativeHeight;

function haveOrder(one: PagePictureItem, other: PagePictureItem): boolean {
  const heights = [heightOf(one), heightOf(other)];
  return !heights.includes(undefined) && heights[0] !== heights[1];
}

/** Touching edges may share a pixel. */
const sharedPixel = 30;

function overlap(one: PagePictureItem, other: PagePictureItem): boolean {
  return (
    areBeside(one, other, sharedPixel) &&
    one.left < other.left + other.picture.width + sharedPixel &&
    other.left < one.left + one.picture.width + sharedPixel
  );
}
