import type { PageGeometry } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { AnchoredItem, Item } from './items.ts';

/** In twips. LibreOffice puts no text into a narrow space beside a picture. */
const leastSpace = 1_500;
/** Distances that the layout of LibreOffice may add. */
const slack = 40;
/** Rows may be higher than their lines. */
const rowSlack = 1_000;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Throws UnknownFeature unless text around something anchored in the body stays where it would be without it: because
 * each line beside it ends its paragraph before it. Otherwise LibreOffice moves text and picture in turn. `others` are
 * the other items of the page.
 */
export function requireUnmovedText(
  item: AnchoredItem,
  others: readonly Item[],
  area: { readonly geometry: PageGeometry; readonly textTop: number; readonly textBottom: number },
): void {
  const { picture, left, top } = item;
  const { wrap } = picture.anchor;
  if (wrap === undefined) return;
  const moved = new UnknownFeature('text around a picture or text box');
  // LibreOffice moves it out of the upper and the lower margin.
  const isWithin = top >= area.textTop && top + picture.height + wrap.bottom + wrap.effects + slack <= area.textBottom;
  if (item.isInCell || !isWithin) throw moved;
  const more = wrap.effects + slack;
  const box = {
    left: left - wrap.left - more,
    right: left + picture.width + wrap.right + more,
    top: top - wrap.top - more,
    bottom: top + picture.height + wrap.bottom + more,
  };
  for (const other of others) if (!staysBeside(other, box, wrap.hasTextBeside)) throw moved;
}

function staysBeside(item: Item, box: Box, hasTextBeside: boolean): boolean {
  if (item.kind === 'line') {
    const more = item.ends === undefined ? rowSlack : 0;
    const { height, spacing } = item.line;
    if (item.top - more >= box.bottom || item.top + height + Math.max(0, spacing) + more <= box.top) return true;
    if (item.ends === undefined) return false;
    const { end, right } = item.ends;
    if (box.right <= item.left || box.left >= item.left + right) return true;
    return hasTextBeside && end !== undefined && item.left + end <= box.left && box.left - item.left >= leastSpace;
  }
  if (item.kind === 'rule' || item.kind === 'box-rule') return item.top >= box.bottom || item.bottom <= box.top;
  const height = item.kind === 'shading' || item.kind === 'frame' ? item.height : item.picture.height;
  return item.top >= box.bottom || item.top + height <= box.top;
}
