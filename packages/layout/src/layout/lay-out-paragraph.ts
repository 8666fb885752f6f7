import { isKept } from '../document/kept-paragraphs.ts';
import type { Border, Paragraph } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { fillLines } from './fill-lines.ts';
import type { Item } from './items.ts';
import type { Line } from './line.ts';
import type { LineContext } from './line-context.ts';
import type { LineHeight } from './line-height.ts';
import { paragraphRules } from './paragraph-rules.ts';
import type { TextElements } from './structure.ts';

/** A paragraph and the heights of its lines. */
export interface ParagraphHeights {
  readonly paragraph: Paragraph;
  readonly lines: readonly LineHeight[];
}

/** A paragraph broken into lines, not yet on a page. */
export interface ParagraphLayout extends ParagraphHeights {
  readonly kind: 'paragraph';
  readonly lines: readonly Line[];
  readonly width: number;
}

/** Layouts of recurring paragraphs, keyed by width. */
const kept = new WeakMap<Paragraph, KeptLayout[]>();
const mostWidths = 4;

interface KeptLayout {
  readonly context: LineContext;
  readonly layout: ParagraphLayout;
}

/** Lays out a paragraph in a column of this width in twips. Throws UnknownFeature. */
export function layOutParagraph(paragraph: Paragraph, width: number, context: LineContext): ParagraphLayout {
  if (!isKept(paragraph)) return layOutAnew(paragraph, width, context);
  const known = kept.get(paragraph) ?? [];
  const found = known.find(({ layout, context: other }) => layout.width === width && givesSameLines(other, context));
  if (found !== undefined) return found.layout;
  const layout = layOutAnew(paragraph, width, context);
  if (known.length === mostWidths) known.shift();
  known.push({ context, layout });
  kept.set(paragraph, known);
  return layout;
}

/** Whether two contexts give text without page numbers the same lines. */
function givesSameLines(one: LineContext, other: LineContext): boolean {
  return (
    one.fontOf === other.fontOf &&
    one.tabDistance === other.tabDistance &&
    one.slack === other.slack &&
    one.isOfWord2013 === other.isOfWord2013 &&
    one.keepsBrokenLines === other.keepsBrokenLines &&
    one.decimalPoint === other.decimalPoint
  );
}

function layOutAnew(paragraph: Paragraph, width: number, context: LineContext): ParagraphLayout {
  return { kind: 'paragraph', paragraph, lines: fillLines(paragraph, width, context), width };
}

/** The total height of consecutive lines, without the spacing below the last one. */
export function heightOf(lines: readonly LineHeight[]): number {
  return lines.reduce((sum, { height, spacing }, index) => sum + height + (index === 0 ? 0 : spacing), 0);
}

/** The heights of the borders above and below a paragraph, including their distances from the text. */
export function borderHeights({ format }: Paragraph): { above: number; below: number } {
  return { above: thicknessOf(format.borderTop), below: thicknessOf(format.borderBottom) };
}

function thicknessOf(border: Border | undefined): number {
  return border === undefined ? 0 : border.width + border.space;
}

function bordersOf({ format: { borderTop, borderBottom, borderLeft, borderRight } }: Paragraph): readonly Border[] {
  return [borderTop, borderBottom, borderLeft, borderRight].filter((border) => border !== undefined);
}

/** The height of a paragraph including its borders, without the space above and below. */
export function paragraphHeight({ paragraph, lines }: ParagraphLayout): number {
  const { above, below } = borderHeights(paragraph);
  return above + heightOf(lines) + below;
}

/**
 * The space between two paragraphs: the sum or the maximum of what both request (Writer, `SwFlowFrame::CalcUpperSpace`
 * with `DocumentSettingId::PARA_SPACE_MAX`), plus the line spacing of the upper one. A paragraph that wants no space
 * between paragraphs of its style adds none.
 */
export function spaceBetween(
  upper: ParagraphHeights,
  lower: Paragraph,
  { addsSpaces }: Pick<LineContext, 'addsSpaces'>,
): number {
  if (bordersOf(upper.paragraph).length > 0 && bordersOf(lower).length > 0)
    throw new UnknownFeature('paragraphs with borders that meet');
  // If spaces add up, Writer lets the lower paragraph drop its space only if the upper one does too.
  const dropsBefore =
    upper.paragraph.style === lower.style &&
    lower.format.hasContextualSpacing &&
    (dropsAfter(upper, lower) || !addsSpaces);
  const after = spaceAfter(upper, lower);
  const before = dropsBefore ? 0 : lower.format.before;
  return (addsSpaces ? after + before : Math.max(after, before)) + lineSpacing(upper);
}

/** The share of the space between two paragraphs that belongs to the upper one. */
export function spaceOfUpper(upper: ParagraphHeights, lower: Paragraph): number {
  return spaceAfter(upper, lower) + lineSpacing(upper);
}

const spaceAfter = (upper: ParagraphHeights, lower: Paragraph): number =>
  dropsAfter(upper, lower) ? 0 : upper.paragraph.format.after;

const lineSpacing = ({ lines }: ParagraphHeights): number => lines.at(-1)?.spacingBelow ?? 0;

const dropsAfter = ({ paragraph }: ParagraphHeights, lower: Paragraph): boolean =>
  paragraph.style === lower.style && paragraph.format.hasContextualSpacing;

/** Some lines of a paragraph, starting at `top`. If it is all of them, includes the shading and borders. */
export function paragraphItems(
  layout: ParagraphLayout,
  lines: readonly Line[],
  top: number,
  elements: TextElements | undefined,
): Item[] {
  const { paragraph, width } = layout;
  const { format } = paragraph;
  const isWhole = lines.length === layout.lines.length;
  const { above, below } = borderHeights(paragraph);
  if (!isWhole && (bordersOf(paragraph).length > 0 || format.shading !== undefined))
    throw new UnknownFeature('shading or borders across a page end');
  if (
    format.alignment === 'both' &&
    lines.at(-1) === layout.lines.at(-2) &&
    layout.lines.at(-1)?.fragments.length === 0
  )
    // Writer does not stretch the line before this page end.
    throw new UnknownFeature('a justified line with a break at a page end');
  const items: Item[] = [];
  // Side borders leave the text at its indents.
  const left = format.left + Math.min(0, format.firstLine) - thicknessOf(format.borderLeft);
  const right = width - format.right + thicknessOf(format.borderRight);
  const height = above + heightOf(lines) + below;
  if (format.shading !== undefined)
    items.push({ kind: 'shading', left, top, width: right - left, height, color: format.shading, of: 'paragraph' });
  const [first] = layout.lines;
  let y = top + above;
  for (const [index, line] of lines.entries()) {
    if (index > 0) y += line.spacing;
    const isFirst = line === first;
    const outline = isFirst ? paragraph.outline : undefined;
    const own = isFirst || elements?.label === undefined ? elements : { ...elements, label: undefined };
    items.push({ kind: 'line', left: 0, top: y, line, outline, elements: own });
    y += line.height;
  }
  items.push(...paragraphRules(format, { left, right, top, bottom: top + height }));
  return items;
}
