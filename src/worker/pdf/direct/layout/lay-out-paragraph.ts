import type { Border, Paragraph } from '../document/tree.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { fillLines, type LineContext } from './fill-lines.ts';
import type { Item } from './items.ts';
import type { Line } from './line.ts';

/** A paragraph in lines, not yet on a page. Heights are twips. */
export interface ParagraphLayout {
  readonly kind: 'paragraph';
  readonly paragraph: Paragraph;
  readonly lines: readonly Line[];
  readonly width: number;
}

export function layOutParagraph(paragraph: Paragraph, width: number, context: LineContext): ParagraphLayout {
  const { borderLeft, borderRight } = paragraph.format;
  if (borderLeft !== undefined || borderRight !== undefined) throw new UnknownFeature('borders beside a paragraph');
  return { kind: 'paragraph', paragraph, lines: fillLines(paragraph, width, context), width };
}

/** The height of lines that stand below each other, without the spacing below the last one. */
export function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { height }, index) => sum + height + (lines[index - 1]?.spacing ?? 0), 0);
}

/** The borders above and below a paragraph, with their distances from the text. */
export function borderHeights({ format }: Paragraph): { above: number; below: number } {
  const of = (border: Border | undefined): number => (border === undefined ? 0 : border.width + border.space);
  return { above: of(format.borderTop), below: of(format.borderBottom) };
}

/** The height of a paragraph with its borders, without the space above and below. */
export function paragraphHeight({ paragraph, lines }: ParagraphLayout): number {
  const { above, below } = borderHeights(paragraph);
  return above + heightOf(lines) + below;
}

/**
 * The space between two paragraphs: the sum or the larger one of what both ask for (Writer, `SwFlowFrame::CalcUpperSpace` with
 * `DocumentSettingId::PARA_SPACE_MAX`) and the line spacing of the upper one. A paragraph that wants none between its style
 * adds none.
 */
export function spaceBetween(
  upper: ParagraphLayout,
  { paragraph: lower }: ParagraphLayout,
  { addsSpaces }: LineContext,
): number {
  const { format, style } = upper.paragraph;
  const hasBorders = (one: Paragraph): boolean =>
    one.format.borderTop !== undefined || one.format.borderBottom !== undefined;
  if (hasBorders(upper.paragraph) && hasBorders(lower)) throw new UnknownFeature('paragraphs with borders that meet');
  const isAlike = style === lower.style;
  const after = isAlike && format.hasContextualSpacing ? 0 : format.after;
  const before = isAlike && lower.format.hasContextualSpacing ? 0 : lower.format.before;
  return (addsSpaces ? after + before : Math.max(after, before)) + (upper.lines.at(-1)?.spacing ?? 0);
}

/** Some lines of a paragraph from `top` on: with all of them, also its shading and borders. */
export function paragraphItems(layout: ParagraphLayout, lines: readonly Line[], top: number): Item[] {
  const { paragraph, width } = layout;
  const { format } = paragraph;
  const isWhole = lines.length === layout.lines.length;
  const { above, below } = borderHeights(paragraph);
  if (!isWhole && (above > 0 || below > 0 || format.shading !== undefined))
    throw new UnknownFeature('shading or borders over a page end');
  const items: Item[] = paragraph.anchored.map((picture) => ({ kind: 'page-picture', ...picture }));
  const [left, right] = [format.left + Math.min(0, format.firstLine), width - format.right];
  const height = above + heightOf(lines) + below;
  if (format.shading !== undefined)
    items.push({ kind: 'shading', left, top, width: right - left, height, color: format.shading });
  let y = top + above;
  for (const [index, line] of lines.entries()) {
    y += lines[index - 1]?.spacing ?? 0;
    items.push({ kind: 'line', left: 0, top: y, line });
    y += line.height;
  }
  const rule = (border: Border | undefined, edge: number, sign: number): void => {
    if (border === undefined) return;
    const at = edge + (sign * border.width) / 2;
    items.push({ kind: 'rule', left, right, top: at, bottom: at, width: border.width, color: border.color });
  };
  rule(format.borderTop, top, 1);
  rule(format.borderBottom, top + height, -1);
  return items;
}
