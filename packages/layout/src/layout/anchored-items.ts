import type { Anchor } from '../document/read-anchor.ts';
import type { AnchoredBox } from '../document/tree.ts';
import { dotsPerTwip } from '../fonts/sized-font.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type AnchoredItem, type Item, moveItem } from './items.ts';
import { borderHeights, type ParagraphLayout } from './lay-out-paragraph.ts';
import type { Line } from './line.ts';
import type { LineContext } from './line-context.ts';
import type { StackBlocks } from './stack.ts';
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
  /** Lays out the text of text boxes. */
  readonly stackBlocks: StackBlocks;
}

const noIndents = { left: 0, right: 0 };

/** What is anchored in a paragraph, before it is positioned. Throws UnknownFeature. */
export function anchoredItems(
  layout: ParagraphLayout,
  place: ParagraphPlace,
  context: LineContext,
  element: StructureElement | undefined,
): Item[] {
  return layout.paragraph.anchored.map((picture): AnchoredItem => {
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
    const at = { left, top, columnWidth: layout.width - left - right, isInCell: false, element };
    if (picture.kind === 'picture') return { kind: 'page-picture', picture, ...at };
    return {
      kind: 'page-box',
      ...fillBox(withWidth(picture, layout.width), place.stackBlocks, context, element),
      ...at,
    };
  });
}

/** The twips by which the rounding of LibreOffice may change the width of a box that is a share of its page. */
const shareSlack = 4;
/** A wider line moves the edges of such a box each time LibreOffice lays it out. */
const widestLine = 20;
/** The same applies to a larger distance from text. */
const widestDistance = 200;
/** How much the recorded width may differ. */
const nearlyOwn = 0.04;
/** LibreOffice makes such a box this number of twips narrower. */
const lessWidth = 2;

/**
 * A box with its actual width. LibreOffice stretches a box including its line to its share of the space between the
 * margins. Throws UnknownFeature if the recorded width is another one, because it stretches the box in several steps.
 */
function withWidth(box: AnchoredBox, column: number): AnchoredBox {
  if (box.share === undefined) return box;
  const line = box.frame?.line?.width ?? 0;
  const whole = Math.floor(column * box.share);
  const { left = 0, right = 0 } = box.anchor.wrap ?? {};
  const isOwn = Math.abs(box.width + line - whole) <= whole * nearlyOwn;
  if (line > widestLine || !isOwn || Math.max(left, right) > widestDistance)
    throw new UnknownFeature('a text box whose relative width is not its own');
  return { ...box, width: whole - line - lessWidth };
}

/** LibreOffice makes a box that grows with its text two twips lower than its text and its insets. */
const lessHeight = 2;

/** Lays out the text of a text box. Throws UnknownFeature if it does not fit. */
function fillBox(
  box: AnchoredBox,
  stackBlocks: StackBlocks,
  context: LineContext,
  element: StructureElement | undefined,
): { picture: AnchoredBox; content: readonly Item[] } {
  if (context.gridPitch !== undefined) throw new UnknownFeature('a text box on a grid of lines');
  const { insets, alignment, growsWithText } = box;
  // Its text stands beside the paragraph, not in it.
  const structure = element?.parent;
  const inner = box.width - insets.left - insets.right;
  const slack = box.share === undefined ? context.slack : Math.max(context.slack, shareSlack * dotsPerTwip);
  const stack = stackBlocks(box.blocks, inner, { ...context, slack, structure });
  const needed = stack.height + insets.top + insets.bottom;
  const { at } = box.anchor.vertical;
  // LibreOffice places it before it grows.
  if (growsWithText && (at === 'center' || at === 'bottom'))
    throw new UnknownFeature('a growing text box at the end of its page');
  const isAtSide = [box.anchor.horizontal.at, at].some((side) => typeof side === 'string' && side !== 'center');
  if (isAtSide && (box.frame?.line?.width ?? 0) > widestLine)
    throw new UnknownFeature('an aligned text box with a wide line');
  if (!growsWithText && needed > box.height) throw new UnknownFeature('text that is higher than its text box');
  const height = growsWithText ? needed - lessHeight : box.height;
  const free = Math.max(0, height - needed);
  const shift = alignment === 'top' ? 0 : alignment === 'center' ? Math.floor(free / 2) : free;
  const content = stack.items.map((item) => moveItem(item, insets.left, insets.top + shift));
  return { picture: { ...box, height }, content };
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
