import type { Anchor } from '../document/read-anchor.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { Item, PagePictureItem } from './items.ts';
import { borderHeights, type ParagraphLayout } from './lay-out-paragraph.ts';
import type { Line } from './line.ts';
import type { LineContext } from './line-context.ts';
import type { StructureElement } from './structure.ts';

/** The position of a paragraph or its first part, in twips. */
interface ParagraphPlace {
  readonly top: number;
  /**
   * The space above that belongs to the paragraph: LibreOffice counts its own space as part of it, but not the space of
   * the paragraph above.
   */
  readonly ownSpace: number;
  /** The lines on the same page. */
  readonly lines: readonly Line[];
}

const noIndents = { left: 0, right: 0 };

/** The pictures anchored in a paragraph, before they are positioned. Throws UnknownFeature. */
export function anchoredItems(
  layout: ParagraphLayout,
  place: ParagraphPlace,
  context: LineContext,
  element: StructureElement | undefined,
): Item[] {
  return layout.paragraph.anchored.map((picture): PagePictureItem => {
    const { horizontal, vertical } = picture.anchor;
    // Before Word 2013, pictures at a side of the column follow the indents of the paragraph.
    const isIndented = !context.isOfWord2013 && (horizontal.at === 'left' || horizontal.at === 'right');
    const { left, right } = isIndented ? layout.paragraph.format : noIndents;
    requireKnownDistances(picture.anchor, context);
    if (!picture.isAtStart && place.lines.length < layout.lines.length)
      throw new UnknownFeature('a picture anchored in a paragraph across a page end');
    if (!picture.isAtStart && vertical.from === 'line' && layout.lines.length > 1)
      throw new UnknownFeature('a picture anchored in one of several lines');
    const top =
      vertical.from === 'line' ? place.top + borderHeights(layout.paragraph).above : place.top - place.ownSpace;
    return {
      kind: 'page-picture',
      left,
      top,
      picture,
      columnWidth: layout.width - left - right,
      isInCell: false,
      element,
    };
  });
}

/**
 * Throws UnknownFeature for a picture with text wrapping that is aligned where LibreOffice adds the distance from the
 * text: anywhere but the centre and the edges of the page or its margins.
 */
function requireKnownDistances({ horizontal, vertical, wrap }: Anchor, { isOfWord2013 }: LineContext): void {
  if (wrap === undefined) return;
  const isAtMargin = isOfWord2013 && (horizontal.from === 'margin' || horizontal.from === 'column');
  const isAtPage = vertical.from === 'margin' || vertical.from === 'page';
  const across = horizontal.at === 'left' || horizontal.at === 'right' ? wrap[horizontal.at] : 0;
  const down = vertical.at === 'top' || vertical.at === 'bottom' ? wrap[vertical.at] : 0;
  if ((across > 0 && !isAtMargin) || (down > 0 && !isAtPage))
    throw new UnknownFeature('an aligned picture with a distance from text');
}
