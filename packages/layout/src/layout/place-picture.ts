import type { PageGeometry } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { PagePictureItem } from './items.ts';

export interface PageArea {
  readonly geometry: PageGeometry;
  /** The top and bottom of the area for text and notes, from the top of the page. */
  readonly textTop: number;
  readonly textBottom: number;
}

/** A range of a page, from its left or upper edge. */
interface Range {
  readonly start: number;
  readonly length: number;
}

/** Moves an anchored picture to its position on the page (ECMA-376 part 1, 20.4.3). Throws UnknownFeature. */
export function placePicture(item: PagePictureItem, area: PageArea): PagePictureItem {
  const { picture, isInCell } = item;
  const { horizontal, vertical, staysInCell } = picture.anchor;
  const isOfCell = horizontal.from === 'column' && vertical.from === 'paragraph' && staysInCell;
  if (isInCell && !isOfCell) throw new UnknownFeature('a picture in a cell at a place of its page');
  const [across, down] = [rangeAcross(item, area), rangeDown(item, area)];
  return {
    ...item,
    left: across.start + within(across.length, picture.width, horizontal.at),
    top: down.start + within(down.length, picture.height, vertical.at),
  };
}

type Side = Exclude<PagePictureItem['picture']['anchor']['horizontal' | 'vertical']['at'], number>;

function within(length: number, size: number, at: number | Side): number {
  if (typeof at === 'number') return at;
  if (at === 'left' || at === 'top') return 0;
  // LibreOffice halves each of them with integer division.
  return at === 'center' ? Math.floor(length / 2) - Math.floor(size / 2) : length - size;
}

function rangeAcross({ picture, left, columnWidth }: PagePictureItem, { geometry }: PageArea): Range {
  switch (picture.anchor.horizontal.from) {
    case 'page':
      return { start: 0, length: geometry.width };
    case 'margin':
      return { start: geometry.left, length: geometry.width - geometry.left - geometry.right };
    case 'leftMargin':
      return { start: 0, length: geometry.left };
    case 'rightMargin':
      return { start: geometry.width - geometry.right, length: geometry.right };
    case 'column':
      return { start: left, length: columnWidth };
  }
}

/** LibreOffice takes the area that a high header or footer leaves of the page for its margins. */
function rangeDown({ picture, top }: PagePictureItem, { geometry, textTop, textBottom }: PageArea): Range {
  switch (picture.anchor.vertical.from) {
    case 'page':
      return { start: 0, length: geometry.height };
    case 'margin':
      return { start: textTop, length: textBottom - textTop };
    case 'topMargin':
      return { start: 0, length: textTop };
    case 'bottomMargin':
      return { start: textBottom, length: geometry.height - textBottom };
    case 'paragraph':
    case 'line':
      return { start: top, length: 0 };
  }
}
