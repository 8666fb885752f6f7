import { UnknownFeature } from '../unknown-feature.ts';
import type { Inline, Paragraph } from './tree.ts';

export interface SplitParagraph {
  readonly paragraphs: readonly Paragraph[];
  /** Whether the page ends after the last part. */
  readonly endsPage: boolean;
}

/**
 * Splits a paragraph at its page breaks, like LibreOffice: the text after a break is a paragraph that begins a page,
 * and a break at the end applies to the next paragraph. Throws UnknownFeature for formats that both parts would share.
 */
export function splitAtPageBreaks(paragraph: Paragraph, defaultStyle: string): SplitParagraph {
  const parts: Inline[][] = [[]];
  for (const inline of paragraph.inlines) {
    if (inline.kind === 'page-break') parts.push([]);
    else parts.at(-1)?.push(inline);
  }
  if (parts.length === 1) return { paragraphs: [paragraph], endsPage: false };
  const { format } = paragraph;
  const borders = [format.borderTop, format.borderBottom, format.shading];
  const isBound = paragraph.anchored.length > 0 || paragraph.notes.length > 0;
  if (format.numbering.id !== '0' || borders.some((one) => one !== undefined) || isBound)
    throw new UnknownFeature('a page break in such a paragraph');
  const endsPage = parts.at(-1)?.length === 0;
  if (endsPage) parts.pop();
  const [first, ...others] = parts;
  if (others.some((inlines) => inlines.length === 0)) throw new UnknownFeature('page breaks side by side');
  if (paragraph.outline !== undefined && others.length > 0 && first !== undefined && first.length > 0)
    throw new UnknownFeature('a page break in a heading');
  const behind = others.map((inlines) => withoutIndent({ ...beginPage(paragraph), inlines }));
  const [second, ...rest] = behind;
  const isFirstEmpty = first === undefined || first.length === 0;
  if (isFirstEmpty && rest.length > 0) throw new UnknownFeature('text between two page breaks');
  // LibreOffice gives the new paragraph the default style.
  if (paragraph.style !== defaultStyle && !isFirstEmpty && behind.length > 0)
    throw new UnknownFeature('text after a page break in a paragraph with a style');
  if (second === undefined || !isFirstEmpty)
    return { paragraphs: [{ ...paragraph, inlines: first ?? [] }, ...behind], endsPage };
  // A break before all text applies to the paragraph itself, which keeps its space above.
  const begins = { ...second, format: { ...second.format, before: format.before } };
  return { paragraphs: [begins], endsPage };
}

function withoutIndent(paragraph: Paragraph): Paragraph {
  return { ...paragraph, format: { ...paragraph.format, firstLine: 0 } };
}

/** A paragraph after a page break has no space above. */
export function beginPage(paragraph: Paragraph): Paragraph {
  return { ...paragraph, format: { ...paragraph.format, breaksPageBefore: true, before: 0 } };
}
